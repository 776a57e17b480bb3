import type { JSX } from "preact";

export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly count?: string;
}

/** Offers a few options side by side; one is selected. */
export function Choice<T extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly Option<T>[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}): JSX.Element {
  return (
    <div class="seg" role="group" aria-label={label}>
      {options.map((option) => (
        <button type="button" key={option.value} aria-pressed={option.value === value} onClick={() => onChoose(option.value)}>
          {option.label}
          {option.count !== undefined && <span class="n">{option.count}</span>}
        </button>
      ))}
    </div>
  );
}
