/**
 * @file Limits the number of messages from the sandbox and the total length of their texts. The guard (`runtime/guard.ts`)
 * enforces these limits inside the sandbox, so that an oversized message never reaches the page. The page enforces them again.
 */
import { LONGEST_ERROR, PIECE, PROMPT_MESSAGES, readRuntimeMessage, type RuntimeMessage } from './protocol';

/**
 * Maximum number of messages besides the `PROMPT_MESSAGES` and the full chunks of output:
 * - one `ready` message
 * - one last partial chunk for each of the three output streams
 * - one message that ends the piece of code
 */
const OTHER_MESSAGES = 5;

export class MessageMeter {
  #textLeft: number;
  #messagesLeft: number;

  /** @param outputLimit maximum length of all output together, in UTF-16 units */
  constructor(outputLimit: number) {
    this.#textLeft = outputLimit;
    this.#messagesLeft = PROMPT_MESSAGES + Math.ceil(outputLimit / PIECE) + OTHER_MESSAGES;
  }

  /**
   * Reads the next message. The runtime stays within the limits, so a message that exceeds them is forged.
   * Its content is discarded.
   * @returns `output-limit` if the output or an error message is too long, `tampered` if there are too many
   * messages or the message can't be parsed
   */
  read(data: unknown): RuntimeMessage {
    this.#messagesLeft -= 1;
    if (this.#messagesLeft < 0) return { type: 'tampered' };
    const message = readRuntimeMessage(data);
    if (!message) return { type: 'tampered' };
    if (message.type === 'output') {
      this.#textLeft -= message.text.length;
      return this.#textLeft < 0 ? { type: 'output-limit' } : message;
    }
    if ('message' in message && message.message.length > LONGEST_ERROR) return { type: 'output-limit' };
    return message;
  }
}

/** Whether a message is the last one for a piece of code. */
export function endsPiece({ type }: RuntimeMessage): boolean {
  return type !== 'output';
}

/** Whether the runtime can run another piece of code after this message. */
export function allowsNextPiece({ type }: RuntimeMessage): boolean {
  return type === 'finished' || type === 'error';
}
