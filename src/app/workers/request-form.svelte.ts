/** @file The part of a worker's form for what its requests contain in addition to a step's prompt: a system prompt. */
import { LONGEST_SYSTEM, type WorkerSetup } from '../../core/contract';

type RequestSetup = Pick<WorkerSetup, 'system'>;

export class RequestForm {
  system = $state('');
  /** Problems by field, from the last call of `read`. */
  problems: { readonly system?: string } = $state.raw({});

  constructor(before: RequestSetup) {
    this.system = before.system ?? '';
  }

  /** Parses the fields. Returns `null` if one is invalid, and lists the reasons in `problems`. */
  read(): RequestSetup | null {
    const system = this.system.trim();
    this.problems = system.length > LONGEST_SYSTEM ? { system: TOO_LONG } : {};
    if (Object.keys(this.problems).length > 0) return null;
    return system === '' ? {} : { system };
  }
}

const TOO_LONG = `Enter at most ${LONGEST_SYSTEM.toLocaleString('en')} characters.`;
