import type { Codec, FormatName } from "../formats/codec.ts";
import { codecOf } from "../formats/codecs.ts";
import { untouchedNatives, withoutOrigin } from "../formats/origin.ts";
import { isToolResult, type Block, type Message } from "../messages/message.ts";

/** Encodes the messages of a trajectory as they are sent: in the format of its provider. */
export class WireMessages {
  readonly codec: Codec<object, object>;
  /** The original messages, if the file contains them as sent: then unchanged parts of a view stay as they are. */
  readonly #sent: ReadonlySet<object> | undefined;
  readonly #encoded = new WeakMap<Message, readonly object[]>();

  constructor(wire: FormatName, log: readonly Message[]) {
    this.codec = codecOf(wire);
    this.#sent = sentMessages(this.codec, log);
  }

  encode(view: readonly Message[]): readonly object[] {
    return this.#sent !== undefined ? this.codec.encode(view) : view.flatMap((message) => this.#alone(message));
  }

  /** Returns a response of the log as recorded: nothing is left out because of the view before it. */
  recorded(action: readonly Message[]): readonly object[] {
    return action.flatMap((message) => {
      const natives = untouchedNatives<object>(message);
      return natives?.every((native) => this.#sent?.has(native)) === true ? natives : this.encode([message]);
    });
  }

  /** Records of other formats are not provider messages, so each message is encoded from its content, separately and once. */
  #alone(message: Message): readonly object[] {
    let natives = this.#encoded.get(message);
    if (natives === undefined) this.#encoded.set(message, (natives = this.codec.encode([bare(message)])));
    return natives;
  }
}

/** Returns the encoded log if decoding it produces the same log again. If not, the log was decoded from another format. */
function sentMessages(codec: Codec<object, object>, log: readonly Message[]): ReadonlySet<object> | undefined {
  try {
    const sent = codec.encode(log);
    return JSON.stringify(codec.decode(sent)) === JSON.stringify(log) ? new Set(sent) : undefined;
  } catch {
    return undefined;
  }
}

function bare(message: Message): Message {
  return { ...withoutOrigin(message), content: typeof message.content === "string" ? message.content : message.content.map(bareBlock) };
}

function bareBlock(block: Block): Block {
  const plain = withoutOrigin(block);
  if (!isToolResult(plain) || typeof plain.content !== "object") return plain;
  return Object.assign(plain, { content: plain.content.map(withoutOrigin) });
}
