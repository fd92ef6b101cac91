/**
 * @file The few web globals the core may use (design: the language, URL, AbortSignal, text codecs). Only `tsconfig.core.json`
 * reads this file, so that any other web API used in the core is a type error.
 */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean; signal?: AbortSignal }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
declare const AbortSignal: { any(signals: Iterable<AbortSignal>): AbortSignal; abort(reason?: unknown): AbortSignal };
interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare const AbortController: { new (): AbortController };
interface DOMException extends Error {
  readonly name: string;
}
declare const DOMException: { new (message?: string, name?: string): DOMException };
declare class URL {
  static canParse(url: string): boolean;
  constructor(url: string, base?: string);
  readonly origin: string;
  readonly href: string;
  readonly host: string;
  readonly hostname: string;
  readonly protocol: string;
  readonly pathname: string;
  readonly username: string;
  readonly password: string;
}
declare class TextEncoder {
  encode(text?: string): Uint8Array;
}
declare class TextDecoder {
  decode(bytes?: Uint8Array): string;
}
