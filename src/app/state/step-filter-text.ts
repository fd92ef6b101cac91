/**
 * @file Converts a step filter to and from a value in the page's address, such as
 * `worker=Alder&finished=yes`. The value is itself a query string, so the names of workers and
 * providers may contain any character.
 */
import * as z from 'zod/mini';
import { ANY_STEP, ROLES, type StepFilter } from '../../core/contract';

/** Maximum number of excluded workers. */
const MOST = 50;
const YES = 'yes';

const role = z.enum(ROLES);

/** Parses a step filter. `null`: the filter has no condition. Unknown fields and values are ignored. */
export function readStepFilter(text: string): StepFilter | null {
  const fields = new URLSearchParams(text);
  const known = z.safeParse(role, fields.get('role'));
  const filter: StepFilter = {
    worker: fields.get('worker'),
    otherThan: fields.getAll('not').slice(0, MOST),
    provider: fields.get('provider'),
    role: known.success ? known.data : null,
    isFinished: fields.get('finished') === YES,
    hasContent: fields.get('content') === YES,
  };
  return stepFilterText(filter) === stepFilterText(ANY_STEP) ? null : filter;
}

/** Formats a step filter. Equal filters give equal texts. */
export function stepFilterText(filter: StepFilter): string {
  const fields = new URLSearchParams();
  const { worker, otherThan, provider } = filter;
  if (worker !== null) fields.append('worker', worker);
  for (const other of otherThan) fields.append('not', other);
  if (provider !== null) fields.append('provider', provider);
  if (filter.role !== null) fields.append('role', filter.role);
  if (filter.isFinished) fields.append('finished', YES);
  if (filter.hasContent) fields.append('content', YES);
  return fields.toString();
}
