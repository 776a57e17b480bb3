import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AboutAnswer } from "../../answers.ts";
import { Choice } from "../parts/choice.tsx";
import { Icon } from "../parts/icon.tsx";
import { copy } from "../state/toast.ts";
import { counted } from "../words/numbers.ts";

type ClientName = "Claude Code" | "Codex" | "opencode" | "An SDK";

function commandFor(client: ClientName, address: string): string {
  switch (client) {
    case "Claude Code":
      return `ANTHROPIC_BASE_URL=${address} claude`;
    case "Codex":
      return `codex -c model_provider=palimpsest -c 'model_providers.palimpsest={name="palimpsest",base_url="${address}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}'`;
    case "opencode":
      return `opencode.json: {"provider":{"anthropic":{"options":{"baseURL":"${address}/v1"}},"openai":{"options":{"baseURL":"${address}/v1"}}}}`;
    case "An SDK":
      return `ANTHROPIC_BASE_URL=${address}\nOPENAI_BASE_URL=${address}/v1`;
  }
}

const CLIENTS: readonly ClientName[] = ["Claude Code", "Codex", "opencode", "An SDK"];

/** Shows the setting that points a client at the proxy, with a copy button. */
export function ClientSettings({ address }: { readonly address: string }): JSX.Element {
  const [client, setClient] = useState<ClientName>("Claude Code");
  const command = commandFor(client, address);
  return (
    <div>
      <Choice label="Client" options={CLIENTS.map((name) => ({ value: name, label: name }))} value={client} onChoose={setClient} />
      <div class="cmd">
        <pre>{command}</pre>
        <button type="button" class="btn icon s" aria-label="Copy" onClick={() => void copy(command, "Copied.")}>
          <Icon name="copy" />
        </button>
      </div>
      <p class="dim">To stop, leave it out. Nothing else on this machine is changed.</p>
    </div>
  );
}

export function EmptyList({ about }: { readonly about: AboutAnswer }): JSX.Element {
  if (about.source === "proxy" && about.address !== undefined)
    return (
      <section class="card hero">
        <div>
          <h2>Nothing has come through yet</h2>
          <p>Point a client here, and use it as always. Its next request appears on this page, with what was sent, what was left out, and why.</p>
          <p>Your key stays with the client: it is passed on with each request and never stored.</p>
        </div>
        <ClientSettings address={about.address} />
      </section>
    );
  return (
    <section class="card hero">
      <div>
        <h2>{about.unrecorded > 0 ? "No calls were recorded here" : "There is no conversation here"}</h2>
        {about.unrecorded > 0 ? (
          <p>
            This store has {about.unrecorded >= 100 ? "100 threads or more" : counted(about.unrecorded, "thread")} with messages but no calls: they were
            imported, not sent through the proxy.
          </p>
        ) : (
          <p>
            <code>{about.name}</code> has no conversation with a model call.
          </p>
        )}
      </div>
      <div>
        <p>To see what a policy would do with a recorded session:</p>
        <div class="cmd">
          <pre>palimpsest ui session.jsonl --policy balanced</pre>
        </div>
        <p>To read the messages: palimpsest threads, log and show.</p>
      </div>
    </section>
  );
}
