/** @file The part of a worker's form that says what is known of the model: which one it is, and the user's own ratings. */
import {
  DOMAINS,
  familyOf,
  matchModel,
  publishedRecord,
  type Domain,
  type KnownModel,
  type MatchedWorker,
  type PublishedRecord,
  type WorkerSetup,
} from '../../core/contract';
import type { Services } from '../services';

/** What the form keeps of a worker. */
type KnownSetup = Pick<WorkerSetup, 'knownAs' | 'domains' | 'strengths'>;

export class KnownForm {
  /** Every model with published figures; empty until they are loaded. */
  models: readonly KnownModel[] = $state.raw([]);
  /** As in `WorkerSetup`; absent: by the model's id. */
  knownAs: string | null | undefined = $state();
  /** The user's rating of each domain as typed, in percent; `''`: none. */
  ratings: Record<Domain, string> = $state({ maths: '', code: '', science: '', knowledge: '', writing: '' });
  /** Ratings that are no percentage, once the user has tried to save or test. */
  wrong: readonly Domain[] = $state.raw([]);
  readonly #before: KnownSetup;
  readonly #load: Services['knownModels'];

  constructor(load: Services['knownModels'], before: KnownSetup | null) {
    this.#load = load;
    this.#before = before ?? {};
    this.knownAs = this.#before.knownAs;
    for (const domain of DOMAINS) {
      const share = this.#before.domains?.[domain];
      if (share !== undefined) this.ratings[domain] = String(Math.round(share * 100));
    }
  }

  /** Loads the published figures. Without them, there is nothing to choose from. */
  async load(): Promise<void> {
    this.models = await this.#load().catch(() => []);
  }

  /** The model that an id belongs to, whatever the user chose. */
  matched(model: string): KnownModel | null {
    return matchModel(this.models, model);
  }

  /** What is published of a worker, with the user's correction. `null`: nothing. */
  published({ model, reasoning = null }: MatchedWorker): PublishedRecord | null {
    const worker = { model, reasoning, ...(this.knownAs === undefined ? {} : { knownAs: this.knownAs }) };
    return familyOf(this.models, worker) && publishedRecord(this.models, worker);
  }

  /** Reads the fields; `null` where a rating is no percentage, and `wrong` then names it. */
  read(): KnownSetup | null {
    const typed = DOMAINS.map((domain) => [domain, this.ratings[domain].trim().replace(',', '.')] as const);
    const rated = typed
      .filter(([, text]) => text !== '')
      .map(([domain, text]) => [domain, Number(text) / 100] as const);
    this.wrong = rated.flatMap(([domain, share]) => (share >= 0 && share <= 1 ? [] : domain));
    if (this.wrong.length > 0) return null;
    const { strengths } = this.#before;
    return {
      ...(this.knownAs === undefined ? {} : { knownAs: this.knownAs }),
      ...(rated.length > 0 ? { domains: Object.fromEntries(rated) } : {}),
      ...(strengths ? { strengths } : {}),
    };
  }
}
