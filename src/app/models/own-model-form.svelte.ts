/** @file The form for one of the user's own models: where its files are, its prompt, and what is invalid. */
import { templateProblem } from '../../core/conductor/placeholders';
import { DEFAULT_TEMPLATE } from '../../core/conductor/prompt-template';
import type { EngineKind, ModelIntegrity, ModelManifest, ModelSource } from '../../core/contract';
import type { PickedFolder } from '../../core/contract';

export type OwnKind = 'mlc' | 'hub' | 'folder';
export type OwnField =
  | 'weights'
  | 'library'
  | 'configDigest'
  | 'libraryDigest'
  | 'tokenizerDigest'
  | 'hub'
  | 'host'
  | 'folder'
  | 'context'
  | 'prompt';

/** Default context in tokens. It has room for a prompt with examples and for the plan. */
const CONTEXT = 4096;

export class OwnModelForm {
  kind: OwnKind = $state('mlc');
  label = $state('');
  weights = $state('');
  library = $state('');
  revision = $state('');
  configDigest = $state('');
  libraryDigest = $state('');
  tokenizerDigest = $state('');
  hub = $state('');
  host = $state('');
  folder = $state('');
  #picked: PickedFolder | null = null;
  /** The engine if `kind` is `folder`. The other kinds have a fixed engine. */
  engine: EngineKind = $state('transformers');
  context = $state(String(CONTEXT));
  ownPrompt = $state(false);
  fixed = $state(DEFAULT_TEMPLATE.fixed);
  question = $state(DEFAULT_TEMPLATE.question);
  showWorkers: ModelManifest['showWorkers'] = $state('number');

  /** Problems by field, from the last attempt to save. */
  problems: Partial<Record<OwnField, string>> = $state.raw({});
  /** The model being edited. `null` for a new model. */
  readonly before: ModelManifest | null;

  constructor(before: ModelManifest | null = null) {
    this.before = before;
    if (!before) return;
    const { label, source, prompt, showWorkers, engine } = before;
    this.label = label;
    this.context = String(before.context);
    this.showWorkers = showWorkers;
    this.engine = engine;
    this.ownPrompt = prompt !== null;
    this.fixed = prompt?.fixed ?? DEFAULT_TEMPLATE.fixed;
    this.question = prompt?.question ?? DEFAULT_TEMPLATE.question;
    this.#fillFrom(source);
  }

  /** The folder that the user picked in this form. `null`: none, or the model is not in a folder. */
  get picked(): PickedFolder | null {
    return this.kind === 'folder' ? this.#picked : null;
  }

  /** @param folder `null`: the user cancelled, so nothing changes */
  choose(folder: PickedFolder | null): void {
    if (!folder) return;
    this.#picked = folder;
    this.folder = folder.name;
  }

  /** Returns the model. If a field is invalid, returns `null` and sets `problems`. */
  read(): ModelManifest | null {
    const problems = this.#check();
    this.problems = problems;
    if (Object.keys(problems).length > 0) return null;
    const { before } = this;
    return {
      id: before?.id ?? `own:${crypto.randomUUID()}`,
      label: this.label.trim() === '' ? this.#name() : this.label.trim(),
      engine: this.kind === 'mlc' ? 'webllm' : this.kind === 'hub' ? 'transformers' : this.engine,
      source: this.#source(),
      download: null,
      memory: null,
      context: Number(this.context),
      licence: null,
      why: 'Yours.',
      needs: [],
      prompt: this.ownPrompt ? { fixed: this.fixed, question: this.question } : null,
      showWorkers: this.showWorkers,
    };
  }

  #check(): Partial<Record<OwnField, string>> {
    const problems: Partial<Record<OwnField, string>> = {};
    switch (this.kind) {
      case 'mlc':
        if (!isAddress(this.weights)) problems.weights = 'Enter the address of the folder with the weights, https://…';
        if (!isAddress(this.library)) problems.library = 'Enter the address of the compiled library, a .wasm file.';
        if (!isDigest(this.configDigest)) problems.configDigest = DIGEST;
        if (!isDigest(this.libraryDigest)) problems.libraryDigest = DIGEST;
        if (!isDigest(this.tokenizerDigest)) problems.tokenizerDigest = DIGEST;
        break;
      case 'hub':
        if (!/^[\w.-]+\/[\w.-]+$/.test(this.hub.trim())) problems.hub = 'Enter the id as the hub shows it: owner/name.';
        if (this.host.trim() !== '' && !isAddress(this.host)) problems.host = 'Enter an address, or leave it empty.';
        break;
      case 'folder':
        if (this.folder === '') problems.folder = 'Choose the folder first.';
        break;
      default:
        this.kind satisfies never;
    }
    const context = Number(this.context);
    if (!Number.isInteger(context) || context < LEAST_CONTEXT) {
      problems.context = `Enter a whole number of tokens, ${LEAST_CONTEXT} or more.`;
    }
    const prompt = this.ownPrompt ? templateProblem({ fixed: this.fixed, question: this.question }) : null;
    if (prompt !== null) problems.prompt = prompt;
    return problems;
  }

  #source(): ModelSource {
    const revision = this.revision.trim() === '' ? null : this.revision.trim();
    switch (this.kind) {
      case 'mlc':
        return {
          kind: 'mlc',
          weights: this.weights.trim(),
          library: this.library.trim(),
          revision,
          ...this.#integrity(),
        };
      case 'hub': {
        const host = this.host.trim() === '' ? {} : { host: `${this.host.trim().replace(/(?<!\/)\/+$/, '')}/` };
        return { kind: 'hub', id: this.hub.trim(), revision, ...host };
      }
      case 'folder':
        return { kind: 'folder', name: this.folder };
      default:
        return this.kind satisfies never;
    }
  }

  #integrity(): { readonly integrity?: ModelIntegrity } {
    const config = this.configDigest.trim();
    const library = this.libraryDigest.trim();
    const tokenizer = this.tokenizerDigest.trim();
    const integrity = {
      ...(config === '' ? {} : { config }),
      ...(library === '' ? {} : { library }),
      ...(tokenizer === '' ? {} : { tokenizer: { [TOKENIZER]: tokenizer } }),
    };
    return Object.keys(integrity).length === 0 ? {} : { integrity };
  }

  #fillFrom(source: ModelSource): void {
    switch (source.kind) {
      case 'mlc':
        this.kind = 'mlc';
        this.weights = source.weights;
        this.library = source.library;
        this.configDigest = source.integrity?.config ?? '';
        this.libraryDigest = source.integrity?.library ?? '';
        this.tokenizerDigest = source.integrity?.tokenizer?.[TOKENIZER] ?? '';
        this.revision = source.revision ?? '';
        break;
      case 'hub':
        this.kind = 'hub';
        this.hub = source.id;
        this.host = source.host ?? '';
        this.revision = source.revision ?? '';
        break;
      case 'folder':
        this.kind = 'folder';
        this.folder = source.name;
        break;
      case 'prebuilt':
        break;
      default:
        source satisfies never;
    }
  }

  /** The default name of the model: the last part of its address, id or folder name. */
  #name(): string {
    const from = { mlc: this.weights, hub: this.hub, folder: this.folder }[this.kind];
    const parts = from
      .trim()
      .replace(/\/resolve\/.*$/, '')
      .split('/')
      .filter((part) => part !== '');
    return parts.at(-1) ?? 'My model';
  }
}

/** The tokenizer file that every folder of MLC weights must have. */
const TOKENIZER = 'tokenizer.json';
const LEAST_CONTEXT = 512;
const DIGEST = 'Enter it as sha256-, sha384- or sha512- and the digest in Base64, or leave it empty.';

function isDigest(typed: string): boolean {
  return typed.trim() === '' || /^sha(256|384|512)-[A-Za-z0-9+/]+=*$/.test(typed.trim());
}

function isAddress(typed: string): boolean {
  try {
    return /^https?:$/.test(new URL(typed.trim()).protocol);
  } catch {
    return false;
  }
}
