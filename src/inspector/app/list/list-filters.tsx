import type { JSX } from "preact";
import type { TotalsAnswer } from "../../answers.ts";
import { Choice } from "../parts/choice.tsx";
import { Icon } from "../parts/icon.tsx";
import { params, setParams } from "../state/route.ts";

const FILTERS = ["agent", "model", "project"] as const;
type Filter = (typeof FILTERS)[number];
const LABELS: Readonly<Record<Filter, string>> = { agent: "+ Agent", model: "+ Model", project: "+ Project" };
type State = "" | "live" | "faults";

/** Returns the filters of the page's address as a query of the API. */
export function filterQuery(query: URLSearchParams): string {
  const asked = new URLSearchParams();
  for (const name of [...FILTERS, "state"]) {
    const value = query.get(name);
    if (value !== null && value !== "") asked.set(name, value);
  }
  if (query.get("since") === "today") asked.set("since", String(new Date().setHours(0, 0, 0, 0)));
  return asked.toString();
}

export function hasFilters(query: URLSearchParams): boolean {
  return filterQuery(query) !== "";
}

/** The filters of the list, all kept in the address. */
export function ListFilters({ totals }: { readonly totals: TotalsAnswer | undefined }): JSX.Element {
  const query = params.value;
  const names: Readonly<Record<Filter, readonly string[]>> = { agent: totals?.agents ?? [], model: totals?.models ?? [], project: totals?.projects ?? [] };
  return (
    <>
      <Choice<State>
        label="State"
        options={[
          { value: "", label: "All" },
          { value: "live", label: "Live" },
          { value: "faults", label: "With faults" },
        ]}
        value={(query.get("state") ?? "") as State}
        onChoose={(state) => setParams({ state })}
      />
      {query.get("since") === "today" ? (
        <span class="chip">
          since today
          <button type="button" aria-label="Remove the filter by time" onClick={() => setParams({ since: undefined })}>
            <Icon name="x" />
          </button>
        </span>
      ) : (
        <button type="button" class="btn ghost" onClick={() => setParams({ since: "today" })}>
          + Since today
        </button>
      )}
      {FILTERS.map((filter) => {
        const value = query.get(filter);
        if (value !== null)
          return (
            <span class="chip" key={filter}>
              <span>{value}</span>
              <button type="button" aria-label={`Remove the filter by ${filter}`} onClick={() => setParams({ [filter]: undefined })}>
                <Icon name="x" />
              </button>
            </span>
          );
        if (names[filter].length < 2) return null;
        return (
          <select key={filter} class="sel" aria-label={`Filter by ${filter}`} value="" onChange={(event) => setParams({ [filter]: event.currentTarget.value })}>
            <option value="">{LABELS[filter]}</option>
            {names[filter].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        );
      })}
    </>
  );
}
