/** @file Holds the price fields of the worker form, and the source of the prices. */
import { dayOf, isMoney, type Price, type PriceOrigin, type WorkerSetup } from '../../core/contract';

/** The fields of a worker that this form edits. */
type PriceSetup = Pick<WorkerSetup, 'price' | 'priced'>;

export class PriceForm {
  input = $state('');
  output = $state('');
  cachedInput = $state('');
  /** The source of the prices. `null`: there are no prices, their source is unknown, or the user has changed them here. */
  origin: PriceOrigin | null = $state.raw(null);
  /**
   * Whether prices without an origin count as the user's own. True for a new worker, and after the user has changed a price.
   */
  #isEntered: boolean;

  constructor(before: PriceSetup | null) {
    this.#isEntered = before === null;
    if (before) this.fill(before.price, before.priced ?? null);
  }

  /** Whether Podium has filled in the prices. */
  get isFilledIn(): boolean {
    return this.origin !== null && this.origin.by !== 'person';
  }

  /** Whether there is an input or output price, and no provider's list or table of Podium is known as its source. */
  get isOwn(): boolean {
    return this.input + this.output !== '' && !this.isFilledIn;
  }

  fill(price: Price | null, origin: PriceOrigin | null): void {
    this.input = String(price?.input ?? '');
    this.output = String(price?.output ?? '');
    this.cachedInput = String(price?.cachedInput ?? '');
    this.origin = origin;
  }

  /** Parses prices in US dollars per million tokens. `null`: all fields are empty, so the price is unknown. */
  read(): Price | null | 'unreadable' {
    const [input, output, cached] = [this.input.trim(), this.output.trim(), this.cachedInput.trim()];
    if (input + output + cached === '') return null;
    const price = { input: Number(input || Number.NaN), output: Number(output || Number.NaN) };
    if (!isMoney(price.input) || !isMoney(price.output)) return 'unreadable';
    if (cached === '') return price;
    const cachedInput = Number(cached);
    return isMoney(cachedInput) ? { ...price, cachedInput } : 'unreadable';
  }

  /** Call when the user has changed a price. */
  changed(): void {
    this.origin = null;
    this.#isEntered = true;
  }

  /** The source to save with a price. Empty if there is no price, or if an older version stored the price without a source. */
  savedOrigin(price: Price | null): Pick<WorkerSetup, 'priced'> {
    if (!price) return {};
    if (this.origin) return { priced: this.origin };
    return this.#isEntered ? { priced: { by: 'person', date: dayOf(Date.now()) } } : {};
  }
}
