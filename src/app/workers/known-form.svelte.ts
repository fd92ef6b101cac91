/**
 * @file The part of the worker form in which the user rates a worker, or chooses its known model. A known model is a model with
 * published benchmark results.
 */
import {
  DOMAINS,
  familyOf,
  matchModel,
  publishedRecord,
  ROLES,
  type Domain,
  type KnownModel,
  type MatchedWorker,
  type PublishedRecord,
  type Role,
  type WorkerSetup,
} from '../../core/contract';
import type { Services } from '../services';

/** The fields of a worker that this form edits. */
type KnownSetup = Pick<WorkerSetup, 'knownAs' | 'domains' | 'strengths'>;

export class KnownForm {
  /** Every model with published benchmark results. Empty until they are loaded. */
  models: readonly KnownModel[] = $state.raw([]);
  /** The known model that the user chose. `null`: none applies. Absent: the model's id decides. */
  knownAs: string | null | undefined = $state();
  /** The user's rating of each domain as typed, in percent. `''`: no rating. */
  ratings: Record<Domain, string> = $state({ maths: '', code: '', science: '', knowledge: '', writing: '' });
  /** The user's rating of each role as typed, in percent. `''`: no rating. */
  roleRatings: Record<Role, string> = $state({
    plan: '',
    solve: '',
    verify: '',
    refine: '',
    aggregate: '',
    decide: '',
  });
  /** The domains and roles whose rating is not a percentage. Empty until the user tries to save or to test the worker. */
  wrong: readonly (Domain | Role)[] = $state.raw([]);
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
    for (const role of ROLES) {
      const share = this.#before.strengths?.[role];
      if (share !== undefined) this.roleRatings[role] = String(Math.round(share * 100));
    }
  }

  /** Loads the models with published results. If that fails, there is no model to choose. */
  async load(): Promise<void> {
    this.models = await this.#load().catch(() => []);
  }

  /** The known model that an id matches, regardless of the user's choice. */
  matched(model: string): KnownModel | null {
    return matchModel(this.models, model);
  }

  /** The published results of the known model that applies to a worker. `null`: there are none. */
  published(worker: MatchedWorker): PublishedRecord | null {
    return this.family(worker.model) && publishedRecord(this.models, { ...worker, ...this.#correction() });
  }

  /** The known model that applies to a model's id: the user's choice, else the one that the id matches. `null`: none. */
  family(model: string): KnownModel | null {
    return familyOf(this.models, { model, ...this.#correction() });
  }

  #correction(): Pick<WorkerSetup, 'knownAs'> {
    return this.knownAs === undefined ? {} : { knownAs: this.knownAs };
  }

  /** Parses the fields. Returns `null` if a rating is not a percentage, and sets `wrong`. */
  read(): KnownSetup | null {
    const domains = sharesOf(DOMAINS, this.ratings);
    const strengths = sharesOf(ROLES, this.roleRatings);
    const isShare = (share: number) => share >= 0 && share <= 1;
    this.wrong = [...domains, ...strengths].flatMap(([name, share]) => (isShare(share) ? [] : name));
    if (this.wrong.length > 0) return null;
    return {
      ...this.#correction(),
      ...(domains.length > 0 ? { domains: Object.fromEntries(domains) } : {}),
      ...(strengths.length > 0 ? { strengths: Object.fromEntries(strengths) } : {}),
    };
  }
}

/** The entered ratings as numbers from 0 to 1. A text that is not a number becomes `NaN`. */
function sharesOf<Name extends string>(names: readonly Name[], typed: Record<Name, string>): [Name, number][] {
  return names.flatMap((name): [Name, number][] => {
    const text = typed[name].trim().replace(',', '.');
    return text === '' ? [] : [[name, Number(text) / 100]];
  });
}
