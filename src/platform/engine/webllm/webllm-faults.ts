/** @file What can go wrong with a model of WebLLM alone, in words a person can act on. */
import { fault, FaultError, type Fault } from '../../../core/contract';
import { engineFault, memoryFault, promptFault, statusFault, type Named } from '../engine-faults';

export function httpFault(status: number, path: string, named: Named): Fault {
  return status === 404 ? missingFile(path, named) : statusFault(status, named);
}

export function missingFile(path: string, { label, host }: Named): Fault {
  if (host === null) {
    const message = `The folder of ${label} is not picked, or it has no ${path}. Pick the folder that holds mlc-chat-config.json.`;
    return fault('not-found', message);
  }
  const message = `${host} has no ${path} for ${label}. Check the address and the revision, and that the weights are in MLC form.`;
  return fault('not-found', message, { status: 404 });
}

/** A file that is not what the model's list says: cut short, changed on the way, or another page in its place. */
export function wrongFile(path: string, { label }: Named): Fault {
  const message = `${path} of ${label} did not arrive whole and was not kept. Load the model again: it goes on where it stopped.`;
  return fault('broken-reply', message, { retryable: true });
}

export function unreadableFile(path: string, { label }: Named): Fault {
  const message = `${path} is not what ${label} needs there. Check the address, and that the weights are in MLC form.`;
  return fault('broken-reply', message);
}

export function noTokenizer({ label }: Named): Fault {
  const message = `${label} names no tokenizer that WebLLM can read. Convert it again so that it has a tokenizer.json.`;
  return fault('bad-request', message);
}

export function noLibrary({ label }: Named): Fault {
  const message = `The folder of ${label} holds no library, and none of WebLLM's own runs weights of this shape. Put the compiled library, a .wasm file, beside the weights.`;
  return fault('not-found', message);
}

export function notALibrary(path: string, { label }: Named): Fault {
  const message = `${path} is not a compiled library that can run ${label}. Check its address: it must lead to the .wasm file itself.`;
  return fault('bad-request', message);
}

/** Said before anything is fetched. Both in bytes. */
export function roomFault(missing: number, free: number, { label }: Named): Fault {
  const message = `${label} needs ${gigabytes(missing)} more on this disk, and the browser lets Podium keep ${gigabytes(free)}. Delete a model on Models, free some disk space, or use an ordinary window if this is a private one.`;
  return fault('storage-full', message);
}

/** Whatever WebLLM threw while it was loading. */
export function loadFault(thrown: unknown, named: Named): Fault {
  const { name, words } = wordsOf(thrown);
  const detail = words.slice(0, 500);
  const { label } = named;
  switch (name) {
    case 'LinkError':
      return fault('bad-request', otherGeneration(label), { detail });
    case 'CompileError':
      return { ...notALibrary('Its library', named), detail };
    case 'IntegrityError': {
      const message = `A file of ${label} is not the one that was promised. Clear the model and download it again; if that does not help, do not use it.`;
      return fault('broken-reply', message, { detail });
    }
    case 'ShaderF16SupportError':
      return fault(
        'bad-request',
        `${label} needs 16-bit shaders, which this GPU does not have. Choose its q4f32_1 build.`,
      );
    case 'WebGPUNotAvailableError':
      return fault('bad-request', `${label} needs WebGPU, which this browser does not offer. ${OTHERWISE}`);
    case 'DeviceLostError':
      return memoryFault(named, detail);
  }
  // What the runtime throws has no name of its own.
  if (/unable to find a compatible gpu/i.test(words)) {
    return fault('bad-request', `${label} needs a GPU, and this browser found none that it may use. ${OTHERWISE}`);
  }
  if (/requested max\w+ exceeds limit/i.test(words)) {
    return fault('too-large', `This GPU cannot do what ${label} needs of it. ${OTHERWISE}`, { detail });
  }
  if (
    /cannot find (parameter|function|global function)|is not supported by this library|imported module/i.test(words)
  ) {
    return fault('bad-request', otherGeneration(label), { detail });
  }
  return engineFault(thrown, named);
}

const OTHERWISE = 'Choose a smaller model, a server as the Conductor, or the built-in Conductor.';

function otherGeneration(label: string): string {
  return `The library of ${label} does not fit: it was compiled for another generation of WebLLM, or for other weights. Use the library that this version's own list names for this kind of model.`;
}

/** Whatever WebLLM threw while it was writing, and whether the model is well after it. */
export function callFault(thrown: unknown, named: Named): { readonly fault: Fault; readonly isWell: boolean } {
  if (thrown instanceof FaultError) return { fault: thrown.fault, isWell: true };
  const { name, words } = wordsOf(thrown);
  switch (name) {
    case 'ContextWindowSizeExceededError': {
      const [tokens = 0, context = 0] = [...words.matchAll(/\d+/g)].map(Number);
      return { fault: promptFault(named, tokens, context), isWell: true };
    }
    case 'GrammarMatcherInitError': {
      const message = `${named.label} could not be bound to the grammar, so it was not asked. Turn the grammar off on Models and try again.`;
      return { fault: fault('bad-request', message, { detail: words.slice(0, 500) }), isWell: true };
    }
    default:
      return { fault: engineFault(thrown, named), isWell: false };
  }
}

function wordsOf(thrown: unknown): { readonly name: string; readonly words: string } {
  return thrown instanceof Error
    ? { name: thrown.name, words: `${thrown.name}: ${thrown.message}` }
    : { name: '', words: String(thrown) };
}

function gigabytes(bytes: number): string {
  return bytes < 0.95e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
