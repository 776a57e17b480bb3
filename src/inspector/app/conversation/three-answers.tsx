import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ConversationAnswer, Part } from "../../answers.ts";
import { Icon } from "../parts/icon.tsx";
import { amount, counted, percent, short, usd } from "../words/numbers.ts";

/** Answers three questions: the cost, the savings, and what was left out. Each has a figure, a sentence or two, and a breakdown. */
export function ThreeAnswers({ answer }: { readonly answer: ConversationAnswer }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { conversation, cost, saved, leftOut, children } = answer;
  const { total, fullTokens, sentTokens, calls, sideCalls } = conversation;
  const net = total.fullDollars - total.dollars;
  const [largest, second] = cost.parts.toSorted((a, b) => b.value - a.value);
  const others = children.reduce((sum, { total: { dollars } }) => sum + dollars, 0);
  const asked = saved.recalls === 0 ? "the agent recalled none of it" : `the agent asked for an original ${times(saved.recalls)}`;
  const numbers = (parts: readonly Part[], write: (value: number) => string, sum?: readonly [string, string]): JSX.Element => (
    <details class="more" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" />
        The breakdown
      </summary>
      <dl class="kv">
        {parts.map(({ label, value }) => (
          <>
            <dt>{label}</dt>
            <dd>{write(value)}</dd>
          </>
        ))}
        {sum !== undefined && (
          <>
            <dt class="sum">{sum[0]}</dt>
            <dd class="sum">{sum[1]}</dd>
          </>
        )}
      </dl>
    </details>
  );
  const signed = (value: number): string => (value < 0 ? usd(value) : `+${usd(value)}`);
  return (
    <div class="three">
      <div>
        <h2>What did it cost?</h2>
        <p class="big">
          {usd(total.dollars)}
          <small>instead of {usd(total.fullDollars)}</small>
        </p>
        <p>
          {counted(calls, "call")}
          {sideCalls > 0 && ` and ${counted(sideCalls, "side call")}`}
          {largest !== undefined && largest.value > 0 && (
            <>
              , most of it for <b>{plain(largest.label)}</b> ({usd(largest.value)})
              {second !== undefined && second.value > 0 && (
                <>
                  {" "}
                  and <b>{plain(second.label)}</b> ({usd(second.value)})
                </>
              )}
            </>
          )}
          .{children.length > 0 && ` Sub-agents cost ${usd(others)} more.`}
          {total.unpricedCalls > 0 && ` No price is known for ${counted(total.unpricedCalls, "call")}.`}
        </p>
        {numbers(cost.parts, usd, ["Sum", usd(cost.sum)])}
      </div>
      <div>
        <h2>What was saved?</h2>
        <p class={net >= 0.005 ? "big saved" : "big"}>
          {net < -0.005 ? `+${usd(-net)}` : usd(Math.max(0, net))}
          <small>{net < -0.005 ? "more than without Palimpsest, so far" : percent(total.fullDollars === 0 ? 0 : net / total.fullDollars)}</small>
        </p>
        <p>
          {saved.rewrites + saved.recalls === 0 ? "Neither cache rewrites nor recalls had to be paid for" : "Net of "}
          {saved.rewrites > 0 && (
            <>
              <b>{usd(saved.rewriteDollars)}</b> for writing the cache again {times(saved.rewrites)}
            </>
          )}
          {saved.rewrites > 0 && saved.recalls > 0 && " and "}
          {saved.recalls > 0 && (
            <>
              <b>{usd(saved.recallDollars)}</b> for {counted(saved.recalls, "recall")}
            </>
          )}
          .
        </p>
        {numbers([saved.parts[0] as Part, ...saved.parts.slice(1)], (value) => (value === saved.parts[0]?.value ? usd(value) : signed(value)), [
          "With it",
          usd(total.dollars),
        ])}
      </div>
      <div>
        <h2>What was left out?</h2>
        <p class="big">
          {leftOut.sum > 0 ? `${short(leftOut.sum)} tokens` : "Nothing"}
          <small>{leftOut.sum > 0 ? `of ${short(fullTokens)} at the last call` : `${short(sentTokens)} tokens at the last call`}</small>
        </p>
        {leftOut.mostly.length > 0 ? (
          <p>
            Mostly{" "}
            {leftOut.mostly.map((what, number) => (
              <>
                {number > 0 && " and "}
                <b>{what}</b>
              </>
            ))}
            . All of it is kept; {asked}.
          </p>
        ) : (
          <p>Everything was sent as it came. {asked.charAt(0).toUpperCase() + asked.slice(1)}.</p>
        )}
        {numbers(leftOut.parts, amount, ["Left out", amount(leftOut.sum)])}
      </div>
    </div>
  );
}

function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${amount(count)} times`;
}

/** "Read from cache, 6.2M tokens" */
function plain(label: string): string {
  const [what = label] = label.split(",");
  return what === "Read from cache"
    ? "reading the cache"
    : what === "Written to cache"
      ? "writing the cache"
      : what === "Uncached"
        ? "uncached tokens"
        : what.toLowerCase();
}
