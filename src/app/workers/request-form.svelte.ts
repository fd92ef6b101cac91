/** @file The part of a worker's form for what its requests contain in addition: a system prompt, and fields of the provider. */
import { isRecord, LONGEST_SYSTEM, parseJson, type ProviderPreset, type WorkerSetup } from '../../core/contract';
import { extraFieldsProblem, mayCostExtra } from '../../core/contract/worker/extra-fields';

type RequestSetup = Pick<WorkerSetup, 'system' | 'extraFields' | 'extraUsd'>;
type RequestField = 'system' | 'fields' | 'usd';

export class RequestForm {
  system = $state('');
  /** The extra fields as JSON. */
  fields = $state('');
  /** The maximum extra price of a call, in US dollars. */
  usd = $state('');
  /** Problems by field, from the last call of `read`. */
  problems: Partial<Record<RequestField, string>> = $state.raw({});

  constructor(before: RequestSetup) {
    this.system = before.system ?? '';
    this.fields = before.extraFields ? JSON.stringify(before.extraFields, null, 2) : '';
    this.usd = String(before.extraUsd ?? '');
  }

  /** Whether a call needs a maximum price. Fields that can't be read need none yet. */
  readonly needsPrice: boolean = $derived.by(() => {
    const fields = readFields(this.fields);
    return fields !== null && Object.keys(fields).some(mayCostExtra);
  });

  /** Parses the fields. Returns `null` if one is invalid, and lists the reasons in `problems`. */
  read({ extraFields: family }: ProviderPreset): RequestSetup | null {
    const system = this.system.trim();
    const extraFields = readFields(this.fields);
    const usd = this.usd.trim().replace(',', '.');
    const extraUsd = this.needsPrice && usd !== '' ? { extraUsd: Number(usd) } : {};
    const problems: Partial<Record<RequestField, string>> = {};
    if (system.length > LONGEST_SYSTEM)
      problems.system = `Enter at most ${LONGEST_SYSTEM.toLocaleString('en')} characters.`;
    if (extraFields === null) problems.fields = 'Enter a JSON object, such as {"min_p": 0.05}.';
    else {
      const problem = extraFieldsProblem(family, { extraFields, ...(this.needsPrice ? { extraUsd: 0 } : {}) });
      if (problem !== null) problems.fields = problem;
      else if (extraFieldsProblem(family, { extraFields, ...extraUsd }) !== null) problems.usd = NO_PRICE;
    }
    this.problems = problems;
    if (extraFields === null || Object.keys(problems).length > 0) return null;
    return {
      ...(system === '' ? {} : { system }),
      ...(Object.keys(extraFields).length === 0 ? {} : { extraFields, ...extraUsd }),
    };
  }
}

const NO_PRICE = 'Enter the most that one call may cost beyond its tokens, in US dollars. Enter 0 if it costs nothing.';

function readFields(text: string): Readonly<Record<string, unknown>> | null {
  const read = text.trim() === '' ? {} : parseJson(text);
  return isRecord(read) ? read : null;
}
