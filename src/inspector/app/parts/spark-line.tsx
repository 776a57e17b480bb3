import type { JSX } from "preact";
import type { ConversationRow } from "../../answers.ts";

const WIDTH = 92;

export function SparkLine({ spark: { sent, full }, height }: { readonly spark: ConversationRow["spark"]; readonly height: number }): JSX.Element {
  const most = Math.max(1, ...full, ...sent) * 1.05;
  const line = (values: readonly number[]): string => {
    const all = values.length === 1 ? [values[0] ?? 0, values[0] ?? 0] : values;
    return all
      .map((value, number) => `${number === 0 ? "M" : "L"}${((number / (all.length - 1)) * WIDTH).toFixed(1)} ${(height - (value / most) * height).toFixed(1)}`)
      .join("");
  };
  const path = line(sent);
  return (
    <svg width={WIDTH} height={height} viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
      {sent.length > 0 && (
        <>
          <path class="spark-area" d={`${path}L${WIDTH} ${height}L0 ${height}Z`} />
          <path class="spark-sent" d={path} />
          <path class="spark-full" d={line(full)} />
        </>
      )}
    </svg>
  );
}
