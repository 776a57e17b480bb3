import "./style/tokens.css";
import "./style/base.css";
import "./style/frame.css";
import "./style/list.css";
import "./style/conversation.css";
import "./style/call.css";
import { render, type JSX } from "preact";
import { CallScreen } from "./call/call-screen.tsx";
import { ConversationScreen } from "./conversation/conversation-screen.tsx";
import { ListScreen } from "./list/list-screen.tsx";
import { Trouble } from "./parts/trouble.tsx";
import { Shell } from "./shell/shell.tsx";
import { listen } from "./state/live.ts";
import { listPath, onLink, place } from "./state/route.ts";
import { followTheme } from "./state/theme.ts";

function App(): JSX.Element {
  const at = place.value;
  switch (at.screen) {
    case "list":
      return <ListScreen />;
    case "conversation":
      return <ConversationScreen key={`${at.thread}/${at.branch}`} thread={at.thread} branch={at.branch} tab={at.tab} />;
    case "call":
      return <CallScreen key={`${at.thread}/${at.branch}`} thread={at.thread} branch={at.branch} sequence={at.sequence} />;
    case "unknown":
      return (
        <Shell title="Nothing here" crumbs={[{ label: "Conversations", href: listPath() }]} hints={[]}>
          <Trouble error={{ code: "PATH_UNKNOWN", message: "There is no page at this address.", remedy: "Start again from the list of all conversations." }} />
        </Shell>
      );
  }
}

followTheme();
addEventListener("click", onLink);
render(<App />, document.body);
void listen();
