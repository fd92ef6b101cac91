/** @file The faults that only sentence models have. */
import { fault, FaultError, type Fault } from '../../../core/contract';
import { engineFault, type Named } from '../engine-faults';

/** The fault of a model whose downloaded files the browser or the user has deleted. */
export function missingFault({ label }: Pick<Named, 'label'>): Fault {
  return fault('not-found', `The files of ${label} are no longer on this device. Download it again on Models.`);
}

function damagedFault({ label }: Named, detail?: string): Fault {
  const message = `The files of ${label} on this device are damaged. Download it again on Models, which replaces them.`;
  return fault('broken-reply', message, detail === undefined ? {} : { detail });
}

/** The fault of a model whose output is not a valid embedding. */
export function placelessFault({ label }: Pick<Named, 'label'>): Fault {
  const message = `${label} returned invalid embeddings. Download it again on Models, or choose another model.`;
  return fault('broken-reply', message);
}

/**
 * The fault of a failed download of the ONNX runtime. The runtime comes from Podium's own origin,
 * not from the hub.
 */
export function runtimeFault({ label }: Named, isOnline: boolean, detail: string): Fault {
  const message = `Couldn’t download the runtime for ${label}. Check the connection, then try again.`;
  return fault(isOnline ? 'unreachable' : 'offline', message, { retryable: true, detail });
}

/**
 * The fault of a missing runtime. After an update, Podium may need a runtime that is not downloaded
 * yet.
 */
export function missingRuntimeFault({ label }: Named): Fault {
  return fault('not-found', `The runtime for ${label} is no longer on this device. Download it again on Models.`);
}

/** The fault of a model that the user stopped while it loaded. */
export function stoppedFault({ label }: Pick<Named, 'label'>): Fault {
  return fault('interrupted', `${label} was stopped while loading. Load it on Models to use it.`);
}

/** Turns an error into a fault. Unlike `readingFault`, assumes that the model's files are intact. */
export function machineFault(thrown: unknown, named: Named): Fault {
  if (isWithoutStorage(thrown)) {
    const message = `This window doesn’t let Podium store data, so ${named.label} can’t be stored. Open Podium in a normal window, or allow this page to store data.`;
    return fault('storage-failed', message);
  }
  return engineFault(thrown, named);
}

/**
 * Returns the fault for an error that occurred while the model's files were read. If the error has no other
 * known cause, such as too little memory, the files count as damaged.
 */
export function readingFault(thrown: unknown, named: Named): Fault {
  const because = machineFault(thrown, named);
  if (because.code === 'broken-reply') return damagedFault(named, because.message);
  return because.code === 'internal' ? damagedFault(named, because.detail) : because;
}

/**
 * Matches ONNX Runtime's errors for unreadable weights. The codes mean: 1 failure, 2 invalid
 * argument, 7 invalid protobuf, 10 invalid graph.
 */
const UNREADABLE_WEIGHTS = /protobuf|invalid_graph|can't create a session.*error_code: (1|2|7|10)\b/is;
const NO_RUNTIME = /no available backend|webassembly|wasm/i;

/** Returns the fault for an error that the ONNX runtime threw while it read the weights. */
export function sessionFault(thrown: unknown, named: Named): Fault {
  const because = machineFault(thrown, named);
  if (because.code !== 'internal') return because;
  const { detail = '' } = because;
  if (UNREADABLE_WEIGHTS.test(detail)) return damagedFault(named, detail);
  if (!NO_RUNTIME.test(detail)) return because;
  const message = `This browser can’t run ${named.label}, because WebAssembly doesn’t start. Allow it for this page, or use another browser.`;
  return fault('bad-request', message, { detail });
}

function isWithoutStorage(thrown: unknown): boolean {
  if (thrown instanceof FaultError || !(thrown instanceof Error)) return false;
  return thrown.name === 'SecurityError' || /caches is not defined|can't find variable: caches/i.test(thrown.message);
}
