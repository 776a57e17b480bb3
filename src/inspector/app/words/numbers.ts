export function amount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** "41.4k" */
export function short(tokens: number): string {
  if (tokens >= 1e6) return `${(tokens / 1e6).toFixed(1)}M`;
  if (tokens >= 99_950) return `${Math.round(tokens / 1e3)}k`;
  return tokens >= 1_000 ? `${(tokens / 1e3).toFixed(1)}k` : String(Math.round(tokens));
}

export function usd(dollars: number): string {
  const value = Math.abs(dollars);
  const digits = value === 0 || value >= 0.095 ? 2 : value >= 0.00095 ? 3 : 4;
  return `${dollars < 0 ? "−" : ""}$${value.toFixed(digits)}`;
}

export function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 100)} %` : "0 %";
}

export function bytes(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} MB`;
  return value >= 1_000 ? `${Math.round(value / 1e3)} KB` : `${value} bytes`;
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${amount(value)} ${value === 1 ? one : many}`;
}

export function milliseconds(ms: number): string {
  if (ms < 1) return "< 1 ms";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(ms < 100_000 ? 2 : 0)} s`;
}

export function duration(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.round(hours / 24)} days`;
}

/** Returns the time for today, else the date. */
export function clock(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const isToday = new Date(nowMs).toDateString() === date.toDateString();
  return isToday
    ? time(ms)
    : date.toLocaleDateString("en-GB", {
        day: "numeric",
        month: "short",
        ...(date.getFullYear() === new Date(nowMs).getFullYear() ? {} : { year: "numeric" }),
      });
}

export function time(ms: number, withSeconds = false): string {
  return new Date(ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...(withSeconds ? { second: "2-digit" } : {}) });
}

export function ago(ms: number, nowMs: number): string {
  const passed = nowMs - ms;
  if (passed < 60_000) return "now";
  return passed < 3_600_000 ? `${Math.floor(passed / 60_000)} min` : clock(ms, nowMs);
}

export function full(ms: number): string {
  return new Date(ms).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}
