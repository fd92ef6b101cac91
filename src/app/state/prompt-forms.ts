/** @file The forms for the prompts of Conductors: one form for each Conductor. */
import type { ConductorPrompts } from '../../core/contract';
import { PromptForm, type PromptScope } from './prompt-form.svelte';

/** Keeps the typed text of one form while the user edits another. */
export class PromptForms {
  readonly #saved: () => ConductorPrompts;
  readonly #forms = new Map<string | null, PromptForm>();

  /** @param saved returns all saved prompts */
  constructor(saved: () => ConductorPrompts) {
    this.#saved = saved;
  }

  /** The form of a Conductor, with the typed text. A form without unsaved changes shows the saved prompt. */
  of(scope: PromptScope): PromptForm {
    const known = this.#forms.get(scope.model);
    if (known?.isUnsaved) return known;
    const form = new PromptForm(this.#saved, scope);
    this.#forms.set(scope.model, form);
    return form;
  }
}
