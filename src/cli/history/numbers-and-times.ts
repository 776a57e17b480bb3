/** How all commands on histories print numbers and times. */

export function amount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${amount(value)} ${value === 1 ? one : many}`;
}

/** Prints a time in the user's time zone, to the second. */
export function moment(timeMs: number): string {
  return timeMs === 0 ? "never" : `${dayOf(timeMs)} ${timeOfDay(timeMs)}`;
}

export function dayOf(timeMs: number): string {
  const date = new Date(timeMs);
  return [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join("-");
}

export function timeOfDay(timeMs: number): string {
  const date = new Date(timeMs);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
}

function twoDigits(value: number): string {
  return `${value}`.padStart(2, "0");
}
