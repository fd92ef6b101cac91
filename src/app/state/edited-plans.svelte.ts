/**
 * @file The plans that the user edits before pressing Run. An edited plan is in use while the page shows the question for which
 * it was edited. If the page shows another question, the user can move the plan to that question or discard it.
 */
import type { PlanDraft } from './plan-draft';
import * as z from 'zod/mini';
import { storedDraft, toDraft, toStored } from './plan-draft-schema';
import { recallJson, remember } from './tab-memory';

/** Maximum number of edited plans. Older plans are dropped. */
const MOST_PLANS = 20;

export class EditedPlans {
  readonly #question: () => string;
  /** Oldest first. */
  #plans: readonly EditedPlan[] = $state.raw([]);

  readonly #current: EditedPlan | null = $derived.by(() => {
    const question = this.#question();
    return this.#plans.findLast((plan) => !plan.isAside && isSameQuestion(plan.question, question)) ?? null;
  });
  /**
   * The newest edited plan, offered for reuse while no edited plan is in use. `null`: an edited plan is in
   * use, or there is none.
   */
  readonly aside: EditedPlan | null = $derived.by(() => (this.#current ? null : (this.#plans.at(-1) ?? null)));

  /** @param question the question on the page */
  constructor(question: () => string) {
    this.#question = question;
  }

  /** The edited plan that would run for the question on the page. `null`: the Conductor's own plan would run. */
  get draft(): PlanDraft | null {
    return this.#current?.draft ?? null;
  }

  /** Restores the edited plans after a reload of the page. */
  restore(): void {
    if (this.#plans.length === 0) this.#plans = recallDrafts();
  }

  /** Uses a plan for the question on the page. The plan that was in use until then is set aside. */
  begin(draft: PlanDraft): void {
    const earlier = this.#plans.map((plan) => (plan === this.#current ? { ...plan, isAside: true } : plan));
    this.#keep([...earlier, { question: this.#question(), draft, isAside: false }]);
  }

  /** Replaces the plan in use. */
  change(draft: PlanDraft): void {
    const current = this.#current;
    if (!current) return this.begin(draft);
    this.#keep(this.#plans.map((plan) => (plan === current ? { ...plan, draft } : plan)));
  }

  /** Deletes the plan in use. */
  discard(): void {
    this.#keep(this.#plans.filter((plan) => plan !== this.#current));
  }

  /** Lets the Conductor plan again. The plan in use is set aside and stays available. */
  setAside(): void {
    const current = this.#current;
    if (!current) return;
    const others = this.#plans.filter((plan) => plan !== current);
    this.#keep([...others, { ...current, isAside: true }]);
  }

  /** Uses the plan in `aside` for the question on the page. */
  reuseAside(): void {
    const { aside } = this;
    if (!aside) return;
    const others = this.#plans.filter((plan) => plan !== aside);
    this.#keep([...others, { question: this.#question(), draft: aside.draft, isAside: false }]);
  }

  discardAside(): void {
    const { aside } = this;
    this.#keep(this.#plans.filter((plan) => plan !== aside));
  }

  #keep(plans: readonly EditedPlan[]): void {
    this.#plans = plans.slice(-MOST_PLANS);
    rememberDrafts(this.#plans);
  }
}

/** Whether two questions are equal or differ only in whitespace. */
export function isSameQuestion(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

function plain(question: string): string {
  return question.trim().replace(/\s+/g, ' ');
}

z.config({ jitless: true });

const KEY = 'podium.plan-draft';

interface EditedPlan {
  /** The question that the plan was edited for. */
  readonly question: string;
  readonly draft: PlanDraft;
  /** Whether the user has set the plan aside. A plan set aside is not used, even for its own question. */
  readonly isAside: boolean;
}

const memory = z.array(z.object({ question: z.string(), draft: storedDraft, isAside: z.boolean() }));

/** The edited plans of this tab, oldest first. A plan may name workers that have left the pool. */
export function recallDrafts(): readonly EditedPlan[] {
  const parsed = z.safeParse(memory, recallJson(KEY));
  if (parsed.success) return parsed.data.map((plan) => ({ ...plan, draft: toDraft(plan.draft) }));
  remember(KEY, null);
  return [];
}

/** Stores the edited plans. @param plans oldest first. An empty list deletes the entry */
export function rememberDrafts(plans: readonly EditedPlan[]): void {
  const stored = plans.map((plan) => ({ ...plan, draft: toStored(plan.draft) }));
  remember(KEY, stored.length === 0 ? null : JSON.stringify(stored));
}
