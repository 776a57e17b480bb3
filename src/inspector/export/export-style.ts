/** The styles of an exported file. The file's own policy has their hash. */
export const EXPORT_STYLE = `:root{color-scheme:light dark}
body{margin:0;background:light-dark(#f7f7f5,#0f1012);color:light-dark(#1b1b19,#ecedee);font:13px/20px system-ui,sans-serif}
main{max-width:1100px;margin:0 auto;padding:24px 16px 60px}
h1{font-size:20px;line-height:28px;overflow-wrap:anywhere}h2{font-size:14px;margin:24px 0 8px}h3{font-size:12px;font-weight:500;margin:0 0 4px;color:light-dark(#53524d,#b4b7be);overflow-wrap:anywhere}
.meta{display:flex;flex-wrap:wrap;gap:4px 14px}.note,em{color:light-dark(#53524d,#b4b7be)}
.three{display:grid;grid-template-columns:repeat(auto-fit,minmax(260px,1fr));gap:12px}.three>div,article,.pair{background:light-dark(#fff,#17181b);border:1px solid light-dark(#e5e4e0,#292b30);border-radius:8px;padding:10px 14px;margin:0 0 8px}
.three h2{margin:0;font-weight:500}.big{font-size:24px;line-height:32px;font-weight:600;margin:0}.big small{font-size:13px;font-weight:400}
dl{display:grid;grid-template-columns:1fr auto;gap:0 12px;margin:6px 0 0}dd{margin:0;text-align:right}
svg{width:100%;height:180px;display:block}.sent{fill:light-dark(#4a86c4,#5797d4)}.full{fill:none;stroke:light-dark(#6f6e68,#a3a6ae);stroke-width:2;stroke-dasharray:6 4;vector-effect:non-scaling-stroke}
table{border-collapse:collapse;width:100%;font-size:12px}th,td{text-align:left;padding:2px 10px 2px 0;border-bottom:1px solid light-dark(#e5e4e0,#292b30)}.n{text-align:right;font-variant-numeric:tabular-nums}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:12px/18px ui-monospace,monospace;margin:0;max-height:480px;overflow:auto;unicode-bidi:isolate}
pre i{font:10px system-ui;border:1px solid currentColor;border-radius:3px;padding:0 3px;opacity:.7}
h3 small{float:right}.pair{border-left:3px solid light-dark(#4741b5,#aaa5ff)}.pair article{margin-top:8px}.edit{margin:0 0 6px}.edit span,.out{color:light-dark(#53524d,#b4b7be)}
summary{cursor:pointer}details{margin:6px 0}`;
