/** @file What can go wrong with a model of transformers.js, in words a person can act on. */
import { fault, FaultError, toFault, type Fault } from '../../../core/contract';

/** What the sentences name. */
export interface Named {
  /** The model, as the user knows it. */
  readonly label: string;
  /** The hub's host name; `null` for a folder on this machine. */
  readonly host: string | null;
}

/** A hub says 401 to what is not there and to what needs an account alike. */
const CLOSED_STATUSES = [401, 403];

export function httpFault(status: number, path: string, { label, host }: Named): Fault {
  if (CLOSED_STATUSES.includes(status)) {
    const message = `${host} shows ${label} to no one without an account, or there is no such model. Check its name, or download it yourself and open its folder here.`;
    return fault('forbidden', message, { status });
  }
  if (status === 404) return missingFile(path, { label, host });
  if (status === 429) {
    const message = `${host} is being asked too often. Wait a moment, then load ${label} again: it goes on where it stopped.`;
    return fault('rate-limited', message, { status, retryable: true });
  }
  const message = `${host} could not send ${label} (${status}). Try again: it goes on where it stopped.`;
  return fault('server-error', message, { status, retryable: true });
}

export function missingFile(path: string, { label, host }: Named): Fault {
  if (host === null) {
    return fault(
      'not-found',
      `The folder of ${label} has no ${path}. Open the folder that holds config.json and onnx.`,
    );
  }
  const message = `${label} has no ${path} on ${host}. Check its name and revision, and that it is an ONNX model.`;
  return fault('not-found', message);
}

/** The browser tells nothing about a connection that failed. */
export function networkFault(isOnline: boolean, thrown: unknown, { label, host }: Named): Fault {
  const detail = wordsOf(thrown);
  if (!isOnline) {
    const message = `This device is offline, and ${label} is not wholly here yet. Reconnect, then load it again: it goes on where it stopped.`;
    return fault('offline', message, { retryable: true, detail });
  }
  const message = `The download of ${label} from ${host} broke off. Check the connection, then load it again: it goes on where it stopped.`;
  return fault('unreachable', message, { retryable: true, detail });
}

export function emptyFolderFault(label: string): Fault {
  return fault('not-found', `The folder of ${label} is not at hand any more. Open it again on Models.`);
}

export function otherEngineFault(label: string): Fault {
  return fault(
    'bad-request',
    `${label} is not a model for transformers.js. Give the id of an ONNX model, or a folder with one.`,
  );
}

export function quotaFault({ label }: Named): Fault {
  const message = `The browser has no room left for ${label}. Delete a model on Models or free some disk space, then load it again: it goes on where it stopped.`;
  return fault('storage-full', message);
}

export function wrongTypeFault(type: string, { label }: Named): Fault {
  const message = `${label} cannot write text: it is of the type “${type}”. Choose a language model in ONNX form.`;
  return fault('bad-request', message);
}

export function unreadableFault(path: string, { label }: Named): Fault {
  const message = `${path} of ${label} cannot be read. Delete the model on Models and load it again.`;
  return fault('broken-reply', message);
}

export function noTemplateFault({ label }: Named): Fault {
  return fault('bad-request', `${label} has no chat template, so it cannot be talked to. Choose an “instruct” model.`);
}

export function memoryFault({ label }: Named, detail: string): Fault {
  const message = `${label} needs more memory than this device has to give. Close other tabs, or choose a smaller model.`;
  return fault('too-large', message, { detail });
}

export function promptFault({ label }: Named, tokens: number, context: number): Fault {
  const message = `The prompt has ${tokens} tokens, but ${label} reads at most ${context}. Shorten it, or choose a model with a larger context.`;
  return fault('too-large', message);
}

/** The worker itself failed. */
export function crashFault({ label }: Named, detail: string): Fault {
  if (isMemory(detail)) return memoryFault({ label, host: null }, detail);
  const message = `${label} stopped all of a sudden. Try again: it is loaded anew from this device.`;
  return fault('interrupted', message, { retryable: true, detail: shorten(detail) });
}

export function stalledFault({ label }: Named, seconds: number): Fault {
  const message = `${label} has not answered for ${seconds} seconds and was stopped. Try again: it is loaded anew from this device.`;
  return fault('stalled', message, { retryable: true });
}

export function stalledDownload({ label }: Named, seconds: number): Fault {
  const message = `Nothing of ${label} has arrived for ${seconds} seconds. Check the connection, then load it again: it goes on where it stopped.`;
  return fault('stalled', message, { retryable: true });
}

export function deviceLostFault({ label }: Named, detail: string): Fault {
  const message = `The browser took the GPU away from ${label}. Try again: it is loaded anew from this device.`;
  return fault('interrupted', message, { retryable: true, detail: shorten(detail) });
}

export function endlessGrammarFault({ label }: Named): Fault {
  return fault(
    'bad-request',
    `The grammar left ${label} nothing to write. Turn the grammar off on Models and try again.`,
  );
}

/** Whatever the engine threw while it was loading or writing. */
export function engineFault(thrown: unknown, named: Named): Fault {
  if (thrown instanceof FaultError) return thrown.fault;
  const words = wordsOf(thrown);
  if (isQuota(thrown)) return quotaFault(named);
  if (isMemory(words)) return memoryFault(named, words);
  if (/device (is|was) lost|lost device|device lost/i.test(words)) return deviceLostFault(named, words);
  const { code, detail } = toFault(thrown);
  const message = `${named.label} could not be run. What the engine said stands below; try again, or choose another model.`;
  return fault(code, message, { retryable: true, ...(detail === undefined ? {} : { detail }) });
}

export function isQuota(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'QuotaExceededError';
}

function isMemory(words: string): boolean {
  return /out of memory|bad_alloc|allocation failed|failed to allocate|cannot enlarge memory|invalid typed array length/i.test(
    words,
  );
}

function wordsOf(thrown: unknown): string {
  return shorten(thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown));
}

function shorten(words: string): string {
  return words.slice(0, 500);
}
