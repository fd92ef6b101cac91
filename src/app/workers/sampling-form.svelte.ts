/** @file The part of a worker's form for sampling, output limit, thinking budget, context window and patience. */
import {
  SAMPLING_BOUNDS,
  SETUP_NUMBERS,
  SETUP_NUMBER_NAMES,
  WORKER_SAMPLING_FIELDS,
  picked,
  type ProviderPreset,
  type ProviderSetting,
  type SetupNumbers,
  type WorkerSetup,
} from '../../core/contract';

const BOUNDS = { ...SAMPLING_BOUNDS, ...SETUP_NUMBERS };
export type SamplingField = keyof typeof BOUNDS;
const FIELDS: readonly SamplingField[] = [...WORKER_SAMPLING_FIELDS, ...SETUP_NUMBER_NAMES];

/** For each sampling field that some providers reject, its name in the provider's API. */
const SETTING: Partial<Record<SamplingField, ProviderSetting>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
};

/** The parts of a worker's setup that this form edits. */
type SamplingSetup = SetupNumbers & Pick<WorkerSetup, 'sampling'>;

function typedTexts(setup: SamplingSetup | null): Record<SamplingField, string>;
function typedTexts(setup: SamplingSetup | null): object {
  const values = { ...setup, ...setup?.sampling };
  return Object.fromEntries(FIELDS.map((field) => [field, String(values[field] ?? '')]));
}

export class SamplingForm {
  /**
   * The worker's own value of each field, as text. `''`: none. The context field may then show a published
   * value, see `context`.
   */
  typed: Record<SamplingField, string> = $state(typedTexts(null));
  /** The fields that were invalid when `read` was last called. */
  wrong: readonly SamplingField[] = $state.raw([]);
  /**
   * Whether the context field holds the user's own entry, which may be empty. If not, the field shows the
   * model's published context window.
   */
  #isContextTyped = $state(false);
  readonly #publishedContext: () => number | null;

  /** @param publishedContext returns the published context window of the model. `null`: unknown */
  constructor(before: SamplingSetup | null, publishedContext: () => number | null) {
    this.#publishedContext = publishedContext;
    this.typed = typedTexts(before);
    this.#isContextTyped = before?.contextWindow !== undefined;
  }

  /** The text of the context field: what the user has entered, or else the published value. */
  get context(): string {
    return this.#isContextTyped ? this.typed.contextWindow : String(this.#publishedContext() ?? '');
  }
  set context(typed: string) {
    this.#isContextTyped = true;
    this.typed.contextWindow = typed;
  }

  /** Whether the shown context window is the published one. */
  get isPublishedContext(): boolean {
    return !this.#isContextTyped && this.#publishedContext() !== null;
  }

  /**
   * Parses the fields that the provider accepts. Returns `null` if a field is invalid, and lists the
   * invalid fields in `wrong`.
   */
  read(preset: ProviderPreset): SamplingSetup | null {
    const texts = { ...this.typed, contextWindow: this.context };
    const read = FIELDS.flatMap((field) => {
      const text = texts[field].trim().replace(',', '.');
      return text === '' || !isAccepted(preset, field) ? [] : [[field, Number(text)] as const];
    });
    this.wrong = read.flatMap(([field, value]) => (isWithin(field, value) ? [] : field));
    if (this.wrong.length > 0) return null;
    const values: Partial<Record<SamplingField, number>> = Object.fromEntries(read);
    const sampling = picked(values, WORKER_SAMPLING_FIELDS);
    return {
      ...(Object.keys(sampling).length > 0 ? { sampling } : {}),
      ...picked(values, SETUP_NUMBER_NAMES),
    };
  }
}

/**
 * Whether a worker of the provider can use the field. Each field in `SETTING` is accepted if the
 * provider's `refuses` does not list its setting.
 */
export function isAccepted({ refuses, reasoning }: ProviderPreset, field: SamplingField): boolean {
  if (field === 'reasoningTokens') return reasoning.budget !== null;
  const setting = SETTING[field];
  return setting === undefined || !refuses.includes(setting);
}

function isWithin(field: SamplingField, value: number): boolean {
  const { least, most, whole } = BOUNDS[field];
  return value >= least && value <= most && (!whole || Number.isInteger(value));
}

/** The error message of an invalid field. It states the valid values. */
export function boundsWords(field: SamplingField): string {
  const { least, most, whole } = BOUNDS[field];
  const number = whole ? 'a whole number' : 'a number';
  return `Enter ${number} from ${least} to ${most.toLocaleString('en')}, or leave it empty.`;
}
