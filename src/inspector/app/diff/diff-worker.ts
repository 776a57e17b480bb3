import { diffLines } from "./line-diff.ts";

interface Asked {
  readonly id: number;
  readonly left: string;
  readonly right: string;
}

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
  postMessage({ id: data.id, result: diffLines(data.left, data.right) });
});
