/** @file The faults that only WebLLM models have. Each message says what the user can do. */
import { fault, FaultError, thrownWords, type Fault } from '../../../core/contract';
import { engineFault, memoryFault, nanFault, promptFault, statusFault, type Named } from '../engine-faults';

export function httpFault(status: number, path: string, named: Named): Fault {
  return status === 404 ? missingFile(path, named) : statusFault(status, named);
}

export function missingFile(path: string, { label, host }: Named): Fault {
  if (host === null) {
    const message = `The folder of ${label} isn’t open, or it has no ${path}. Pick the folder that contains mlc-chat-config.json.`;
    return fault('not-found', message);
  }
  if (path.endsWith('.wasm')) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const message = `${host} has no library ${name} for ${label}. Check the address of the library. It must point to the .wasm file itself.`;
    return fault('not-found', message, { status: 404 });
  }
  const message = `${host} has no ${path} for ${label}. Check the address and the revision, and that the weights are in MLC form.`;
  return fault('not-found', message, { status: 404 });
}

/**
 * The fault of a file whose size or digest is not the expected one. The file is incomplete,
 * changed, or replaced by a web page. It is not stored.
 */
export function wrongFile(path: string, { label, host }: Named): Fault {
  if (host === null) {
    const message = `${path} in the folder of ${label} is damaged: it doesn’t match its checksum. Copy the folder again, then pick it again.`;
    return fault('broken-reply', message);
  }
  const message = `${path} of ${label} doesn’t match its checksum, even after ${host} sent it again. It was not stored, and complete files are kept. Try again later. If that doesn’t help, the file on ${host} is damaged or was changed.`;
  return fault('broken-reply', message, { retryable: true });
}

export function unreadableFile(path: string, { label }: Named): Fault {
  const message = `${path} of ${label} has the wrong content. Check the address, and that the weights are in MLC form.`;
  return fault('broken-reply', message);
}

export function noTokenizer({ label }: Named): Fault {
  const message = `${label} has no tokenizer that WebLLM can read. Convert it again with a tokenizer.json.`;
  return fault('bad-request', message);
}

export function noLibrary({ label }: Named): Fault {
  const message = `The folder of ${label} has no library, and no library of WebLLM runs weights of this shape. Add the compiled library, a .wasm file, to the folder.`;
  return fault('not-found', message);
}

export function notALibrary(path: string, { label }: Named): Fault {
  const message = `${path} is not a compiled library for ${label}. Check its address. It must point to the .wasm file itself.`;
  return fault('bad-request', message);
}

/**
 * The fault of too little free storage. Podium checks the free storage before it downloads the
 * weights.
 * @param missing bytes to download
 * @param free bytes that Podium can still store in this browser
 */
export function roomFault(missing: number, free: number, { label }: Named): Fault {
  const message = `${label} needs ${gigabytes(missing)} more storage, and the browser gives Podium ${gigabytes(free)}. Delete a model on Models, free some disk space, or use a normal window if this is a private one.`;
  return fault('storage-full', message);
}

/**
 * Returns the fault for an error that WebLLM threw while it loaded a model.
 * @param printed what the library printed before
 */
export function loadFault(thrown: unknown, named: Named, printed = ''): Fault {
  const { name, words } = wordsOf(thrown, printed);
  const detail = words.slice(0, 500);
  const { label } = named;
  switch (name) {
    case 'LinkError':
      return otherGeneration('The library', named, detail);
    case 'CompileError':
      return { ...notALibrary('Its library', named), detail };
    case 'IntegrityError': {
      const message = `A file of ${label} doesn’t match its checksum. Delete the model and download it again. If that doesn’t help, don’t use it.`;
      return fault('broken-reply', message, { detail });
    }
    case 'ShaderF16SupportError':
      return noHalf(named);
    case 'WebGPUNotAvailableError':
      return fault('bad-request', `${label} needs WebGPU, which this browser doesn’t support. ${OTHERWISE}`);
    case 'DeviceLostError':
      return memoryFault(named, detail);
  }
  // Other errors have no specific names, so their messages are matched.
  if (/unable to find a compatible gpu/i.test(words)) {
    return fault('bad-request', `${label} needs a GPU, and this browser found none that is usable. ${OTHERWISE}`);
  }
  if (/requested max\w+ exceeds limit/i.test(words)) {
    return fault('too-large', `This GPU can’t run ${label}. ${OTHERWISE}`, { detail });
  }
  if (
    /cannot find (parameter|function|global function)|is not supported by this library|imported module/i.test(words)
  ) {
    return otherGeneration('The library', named, detail);
  }
  return engineFault(thrown, named, printed);
}

const OTHERWISE = 'Choose a smaller model, a server as the Conductor, or the built-in Conductor.';

/**
 * The fault of a library that does not fit this version of WebLLM or the model's weights.
 * @param file name of the library
 */
export function otherGeneration(file: string, { label }: Named, detail: string): Fault {
  const message = `${file} of ${label} was compiled for another version of WebLLM, or for other weights. Use the library that this version lists for this kind of model.`;
  return fault('bad-request', message, { detail });
}

/** The fault of a library whose parameters differ from the weights. */
export function otherWeights(file: string, { label }: Named, detail: string): Fault {
  const message = `${file} of ${label} was compiled for other weights, so nothing more was downloaded. Use the library for this model and this quantization.`;
  return fault('bad-request', message, { detail });
}

export function noHalf({ label }: Named): Fault {
  const message = `${label} needs 16-bit shaders, which this GPU doesn’t support. Choose its q4f32_1 build.`;
  return fault('bad-request', message);
}

/**
 * Returns the fault for an error that WebLLM threw while it generated an answer. `isWell` is true if the
 * model can still be used.
 * @param printed what the library printed before
 */
export function callFault(
  thrown: unknown,
  named: Named,
  printed = '',
): { readonly fault: Fault; readonly isWell: boolean } {
  if (thrown instanceof FaultError) return { fault: thrown.fault, isWell: true };
  const { name, words } = wordsOf(thrown, printed);
  switch (name) {
    case 'ContextWindowSizeExceededError': {
      const [tokens = 0, context = 0] = [...words.matchAll(/\d+/g)].map(Number);
      return { fault: promptFault(named, tokens, context), isWell: true };
    }
    case 'GrammarMatcherInitError': {
      const message = `Couldn’t use the grammar with ${named.label}, so the model was not called. Turn the grammar off on Models, then try again.`;
      return { fault: fault('bad-request', message, { detail: words.slice(0, 500) }), isWell: true };
    }
    case 'NotNumbersError':
      return { fault: nanFault(named, words), isWell: true };
    default:
      return { fault: engineFault(thrown, named, printed), isWell: false };
  }
}

function wordsOf(thrown: unknown, printed: string): { readonly name: string; readonly words: string } {
  const words = [printed, thrownWords(thrown)].filter((each) => each !== '').join('\n');
  return { name: thrown instanceof Error ? thrown.name : '', words };
}

function gigabytes(bytes: number): string {
  return bytes < 0.95e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
