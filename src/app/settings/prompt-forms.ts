/** @file The forms for the Conductors' prompts. */
import type { ConductorPrompts } from '../../core/contract';
import { PromptForm, type PromptScope } from './prompt-form.svelte';

/** One form for each model, and one form for all Conductors. A form keeps its unsaved text while the user edits another form. */
export class PromptForms {
  readonly #saved: () => ConductorPrompts;
  readonly #forms = new Map<string | null, PromptForm>();

  /** @param saved returns all saved prompts */
  constructor(saved: () => ConductorPrompts) {
    this.#saved = saved;
  }

  /** The form for a scope, with the user's unsaved changes, or else with the saved prompt. */
  of(scope: PromptScope): PromptForm {
    const known = this.#forms.get(scope.model);
    if (known?.isUnsaved) return known;
    const form = new PromptForm(this.#saved, scope);
    this.#forms.set(scope.model, form);
    return form;
  }
}
