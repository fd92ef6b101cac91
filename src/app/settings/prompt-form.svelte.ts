/** @file The state of the forms that edit the Conductors' prompts: the fields, their defaults, and validation. */
import { DEFAULT_EXAMPLES } from '../../core/conductor/examples';
import { promptProblem } from '../../core/conductor/placeholders';
import { examplesText, exampleSet } from '../../core/conductor/prompt';
import { DEFAULT_LATER, DEFAULT_TEMPLATE } from '../../core/conductor/prompt-template';
import {
  isDefaultPrompt,
  MOST_PROMPTS,
  promptFor,
  type AccessScheme,
  type ConductorPrompt,
  type ConductorPrompts,
  type ExampleSet,
  type WorkerNaming,
} from '../../core/contract';

export interface PromptFields {
  readonly fixed: string;
  readonly question: string;
  readonly later: string;
  readonly examples: ExampleSet;
  readonly ownExamples: string;
  readonly showWorkers: WorkerNaming;
}

const FIELDS = ['fixed', 'question', 'later', 'examples', 'ownExamples', 'showWorkers'] as const;

/** The Conductors that a prompt is for: all of them, or those that use one model, alone or with the policy. */
export interface PromptScope {
  /** Id of the Conductor that uses the model alone. `null`: the prompt is for all Conductors. */
  readonly model: string | null;
  /** The parts of the prompt that the model was trained with. The form uses them as defaults. */
  readonly trained: ConductorPrompt;
}

export class PromptForm {
  fixed = $state('');
  question = $state('');
  later = $state('');
  examples: ExampleSet = $state('other');
  ownExamples = $state('');
  showWorkers: WorkerNaming = $state('name');
  /** The defaults: the fields that apply while no prompt is saved for this scope. */
  readonly standard: PromptFields;
  /** Id of the Conductor that uses the model alone. `null`: the prompt is for all Conductors. */
  readonly model: string | null;
  readonly #prompts: () => ConductorPrompts;

  /** The parts of the prompt that differ from `standard`. */
  readonly prompt: ConductorPrompt = $derived.by(() => changesOf(this, this.standard));
  /** Why the prompt cannot be saved, as a sentence. `null` if it can be saved. */
  readonly problem: string | null = $derived.by(() => promptProblem(this.prompt) ?? this.#tooMany());
  readonly isDefault: boolean = $derived.by(() => isDefaultPrompt(this.prompt));
  /** Whether the form differs from the saved prompt. */
  readonly isUnsaved: boolean = $derived.by(() => {
    const saved = this.#fieldsFor(this.#savedPrompt());
    return FIELDS.some((field) => this[field] !== saved[field]);
  });

  /** @param saved returns all saved prompts */
  constructor(saved: () => ConductorPrompts, { model, trained }: PromptScope) {
    this.model = model;
    this.#prompts = saved;
    const shared = model === null ? {} : promptFor({ ...saved(), single: {} }, model, trained);
    this.standard = fieldsOf({ ...trained, ...shared });
    this.fill(this.#savedPrompt());
  }

  /** Fills the form with a prompt. Absent parts get their defaults. */
  fill(prompt: ConductorPrompt): void {
    const fields = this.#fieldsFor(prompt);
    this.fixed = fields.fixed;
    this.question = fields.question;
    this.later = fields.later;
    this.examples = fields.examples;
    this.ownExamples = fields.ownExamples;
    this.showWorkers = fields.showWorkers;
  }

  reset(): void {
    this.fill({});
  }

  /** Chooses a set of examples. If the set is `own` and the user has no own examples yet, copies the previous set as a start. */
  choose(examples: ExampleSet, access: AccessScheme): void {
    if (examples === 'own' && this.ownExamples === '') {
      const shown = exampleSet({ examples: this.examples }, DEFAULT_EXAMPLES);
      this.ownExamples = typeof shown === 'string' ? shown : examplesText(shown, access);
    }
    this.examples = examples;
  }

  /**
   * All prompts to save: the saved prompts and this form's prompt. Leaves out a model's prompt that equals the
   * defaults.
   */
  get saved(): ConductorPrompts {
    const saved = this.#prompts();
    const { single } = saved;
    if (this.model === null) return { ...saved, all: this.prompt };
    const others = Object.entries(single).filter(([id]) => id !== this.model);
    return { ...saved, single: Object.fromEntries(this.isDefault ? others : [...others, [this.model, this.prompt]]) };
  }

  #fieldsFor(prompt: ConductorPrompt): PromptFields {
    return { ...this.standard, ...definedParts(prompt), ...prompt.template };
  }

  #savedPrompt(): ConductorPrompt {
    const { all, single } = this.#prompts();
    return this.model === null ? all : (single[this.model] ?? {});
  }

  #tooMany(): string | null {
    if (Object.keys(this.saved.single).length <= MOST_PROMPTS) return null;
    return `At most ${MOST_PROMPTS} Conductors can have a prompt of their own. Reset another prompt first.`;
  }
}

/** One form for each model, and one form for all Conductors. A form keeps its unsaved text while the user edits another form. */
export class PromptForms {
  readonly #saved: () => ConductorPrompts;
  #forms: readonly PromptForm[] = [];

  /** @param saved returns all saved prompts */
  constructor(saved: () => ConductorPrompts) {
    this.#saved = saved;
  }

  /** The form for a scope, with the user's unsaved changes, or else with the saved prompt. */
  of(scope: PromptScope): PromptForm {
    const known = this.#forms.find(({ model }) => model === scope.model);
    if (known?.isUnsaved) return known;
    const form = new PromptForm(this.#saved, scope);
    this.#forms = [...this.#forms.filter((each) => each !== known), form];
    return form;
  }
}

/** The chosen examples as text. */
export function shownExamples({ examples, ownExamples }: PromptFields, access: AccessScheme): string {
  const shown = exampleSet({ examples, ownExamples });
  return typeof shown === 'string' ? shown : examplesText(shown, access);
}

function fieldsOf(prompt: ConductorPrompt): PromptFields {
  const { template = DEFAULT_TEMPLATE, later = DEFAULT_LATER, examples = 'other', ownExamples = '' } = prompt;
  const { showWorkers = 'name' } = prompt;
  const { fixed, question } = template;
  return { fixed, question, later, examples, ownExamples, showWorkers };
}

function definedParts({ later, examples, ownExamples, showWorkers }: ConductorPrompt): Partial<PromptFields> {
  return {
    ...(later === undefined ? {} : { later }),
    ...(examples === undefined ? {} : { examples }),
    ...(ownExamples === undefined ? {} : { ownExamples }),
    ...(showWorkers === undefined ? {} : { showWorkers }),
  };
}

function changesOf(fields: PromptFields, standard: PromptFields): ConductorPrompt {
  const { fixed, question, later, examples, ownExamples, showWorkers } = fields;
  const isOwnTemplate = fixed !== standard.fixed || question !== standard.question;
  return {
    ...(isOwnTemplate ? { template: { fixed, question } } : {}),
    ...(later === standard.later ? {} : { later }),
    ...(examples === standard.examples ? {} : { examples }),
    ...(examples !== 'own' || ownExamples === standard.ownExamples ? {} : { ownExamples }),
    ...(showWorkers === standard.showWorkers ? {} : { showWorkers }),
  };
}
