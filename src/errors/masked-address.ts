/** Parameters of an address whose values are no secrets. There are too many names for those that are. */
const OPEN: ReadonlySet<string> = new Set([
  "application_name",
  "channel_binding",
  "client_encoding",
  "connect_timeout",
  "database",
  "dbname",
  "encoding",
  "fallback_application_name",
  "gssencmode",
  "host",
  "hostaddr",
  "keepalives",
  "port",
  "ssl",
  "sslcert",
  "sslmode",
  "sslnegotiation",
  "sslrootcert",
  "statement_timeout",
  "target_session_attrs",
  "user",
  "uselibpqcompat",
]);

/** Returns an address as it may be shown: without a password, wherever in it that stands. It need not be one that can be read; a path of a file stays as it is. */
export function maskedAddress(address: string): string {
  const [, scheme = "", slashes = "", rest = ""] = /^([a-z][\w+.-]*:)(\/\/)?(.*)$/is.exec(address) ?? [];
  if (scheme === "" || /^(sqlite|file):$/i.test(scheme)) return address;
  if (slashes === "") return rest.includes("@") ? `${scheme}…` : address;
  const queryAt = rest.indexOf("?");
  const [place, query] = queryAt === -1 ? [rest, undefined] : [rest.slice(0, queryAt), rest.slice(queryAt + 1)];
  // A password with a question mark in it: nobody knows where it ends.
  if (query?.includes("@") === true && !place.includes("@")) return `${scheme}//…`;
  const shown = withoutPassword(place).replace(/#.*$/s, "#***");
  return `${scheme}//${shown}${query === undefined ? "" : `?${query.split("&").map(maskedParameter).join("&")}`}`;
}

/** A password that is not encoded may hold anything: it ends with the last @. */
function withoutPassword(place: string): string {
  const end = place.lastIndexOf("@");
  const start = place.indexOf(":");
  return end === -1 || start === -1 || start > end ? place : `${place.slice(0, start)}:***${place.slice(end)}`;
}

function maskedParameter(parameter: string): string {
  const [name = "", ...value] = parameter.split("=");
  if (value.length === 0) return parameter === "" ? "" : "***";
  return OPEN.has(name.toLowerCase()) ? parameter : `${name}=***`;
}
