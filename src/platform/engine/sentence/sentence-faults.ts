/** @file What can go wrong with a sentence model alone. */
import { fault, FaultError, type Fault } from '../../../core/contract';
import { engineFault, type Named } from '../engine-faults';

/** It was fetched once; the browser, or the user, has deleted it since. */
export function goneFault({ label }: Pick<Named, 'label'>): Fault {
  return fault('not-found', `The files of ${label} are not on this machine any more. Fetch it again on Models.`);
}

function damagedFault({ label }: Named, detail?: string): Fault {
  const message = `The files of ${label} on this machine are damaged. Download it again on Models; they are deleted first.`;
  return fault('broken-reply', message, detail === undefined ? {} : { detail });
}

/** The model runs, and what it says is no place. */
export function placelessFault({ label }: Pick<Named, 'label'>): Fault {
  const message = `${label} answered with numbers that tell no place. Download it again on Models, or choose another model.`;
  return fault('broken-reply', message);
}

/** What runs the model comes with Podium and not from the hub. */
export function runtimeFault({ label }: Named, isOnline: boolean, detail: string): Fault {
  const message = `What runs ${label} could not be fetched. Check the connection and try again.`;
  return fault(isOnline ? 'unreachable' : 'offline', message, { retryable: true, detail });
}

/** An update of Podium may bring another one. */
export function runtimeGoneFault({ label }: Named): Fault {
  return fault('not-found', `What runs ${label} is not on this machine any more. Fetch it again on Models.`);
}

/** The user has ended it on its way. */
export function stoppedFault({ label }: Pick<Named, 'label'>): Fault {
  return fault('interrupted', `${label} was stopped before it could be asked. Load it on Models to use it.`);
}

/** Whatever was thrown, where it says nothing of the model's own files. */
export function machineFault(thrown: unknown, named: Named): Fault {
  if (isWithoutStorage(thrown)) {
    const message = `This window may not keep anything, so ${named.label} cannot be kept. Open Podium in an ordinary window, or allow it to store data.`;
    return fault('storage-failed', message);
  }
  return engineFault(thrown, named);
}

/** What was thrown at the model's own files: they are damaged, unless this machine is at fault. */
export function readingFault(thrown: unknown, named: Named): Fault {
  const because = machineFault(thrown, named);
  if (because.code === 'broken-reply') return damagedFault(named, because.message);
  return because.code === 'internal' ? damagedFault(named, because.detail) : because;
}

/** ONNX Runtime's word for weights that it cannot read: protobuf, graph, or an argument of theirs. */
const UNREADABLE_WEIGHTS = /protobuf|invalid_graph|can't create a session.*error_code: (1|2|7|10)\b/is;
const NO_RUNTIME = /no available backend|webassembly|wasm/i;

/** What the runtime threw when it was given the weights. */
export function sessionFault(thrown: unknown, named: Named): Fault {
  const because = machineFault(thrown, named);
  if (because.code !== 'internal') return because;
  const { detail = '' } = because;
  if (UNREADABLE_WEIGHTS.test(detail)) return damagedFault(named, detail);
  if (!NO_RUNTIME.test(detail)) return because;
  const message = `This browser cannot run ${named.label}: WebAssembly, which it needs, does not start. Allow it for this page, or use another browser.`;
  return fault('bad-request', message, { detail });
}

function isWithoutStorage(thrown: unknown): boolean {
  if (thrown instanceof FaultError || !(thrown instanceof Error)) return false;
  return thrown.name === 'SecurityError' || /caches is not defined|can't find variable: caches/i.test(thrown.message);
}
