/** @file Throws faults as `FaultError`s, and converts thrown values to `FaultError`s. */
import { FaultError, toFault, type Fault } from '../contract';

/** Throws a fault, if there is one. */
export function refuse(found: Fault | null): void {
  if (found) throw new FaultError(found);
}

export function asFaultError(thrown: unknown): FaultError {
  return thrown instanceof FaultError ? thrown : new FaultError(toFault(thrown));
}
