/**
 * @file Reads a Python pickle that contains one text (`str`). A pickle is a program, so a malicious pickle can run any code when
 * Python unpickles it. Therefore this reader accepts only the opcodes that a text needs.
 */
import { fault, FaultError } from '../../contract';

/** The opcodes that this reader accepts, with the names from Python's `pickletools`. */
const PROTO = 0x80;
const FRAME = 0x95;
const STOP = 0x2e;
const SHORT_BINUNICODE = 0x8c;
const BINUNICODE = 0x58;
const BINUNICODE8 = 0x8d;
const MEMOIZE = 0x94;
const BINPUT = 0x71;
const LONG_BINPUT = 0x72;

const NEWEST_PROTOCOL = 5;

/** The text of a pickle. @throws FaultError (`bad-request`) if the pickle is damaged or contains anything but one text */
export function readPickledText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  /** Skips `count` bytes. Returns the position of the first skipped byte. */
  const skip = (count: number) => {
    if (count > bytes.length - at) throw refused('The pickle ends too early.');
    const start = at;
    at += count;
    return start;
  };
  const byte = () => view.getUint8(skip(1));
  const long = () => view.getUint32(skip(4), true);
  const huge = () => {
    const value = view.getBigUint64(skip(8), true);
    if (value > BigInt(bytes.length)) throw refused('The pickle ends too early.');
    return Number(value);
  };
  let text: string | null = null;
  const read = (length: number) => {
    if (text !== null) throw refused('The pickle contains more than one value.');
    const start = skip(length);
    text = decoded(bytes.subarray(start, start + length));
  };

  for (;;) {
    const opcode = byte();
    switch (opcode) {
      case PROTO:
        if (byte() > NEWEST_PROTOCOL) throw refused('The version of the pickle is unknown.');
        break;
      case FRAME:
        // Skips the length of the frame, which is only a hint for buffering.
        skip(8);
        break;
      case SHORT_BINUNICODE:
        read(byte());
        break;
      case BINUNICODE:
        read(long());
        break;
      case BINUNICODE8:
        read(huge());
        break;
      // These opcodes store a value for a second use. A pickle with one value needs no second use, so they have no effect.
      case MEMOIZE:
        break;
      case BINPUT:
        skip(1);
        break;
      case LONG_BINPUT:
        skip(4);
        break;
      case STOP:
        if (text === null) throw refused('The pickle contains no text.');
        if (at !== bytes.length) throw refused('The pickle has data after its end.');
        return text;
      default:
        throw refused(
          `The pickle contains the instruction 0x${opcode.toString(16).padStart(2, '0')}, which a text does not need.`,
        );
    }
  }
}

/** Decodes UTF-8. Lone surrogates, which Python can write but UTF-8 does not allow, become replacement characters. */
function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function refused(why: string): FaultError {
  return new FaultError(
    fault('bad-request', `The task’s private tests are not a Python pickle of a text, so they were not read. ${why}`),
  );
}
