/**
 * @file Declares the few web globals that the core may use: `AbortSignal`, `AbortController`, `DOMException`, `URL` and the text
 * codecs. Only `tsconfig.core.json` includes this file. That configuration has no DOM types, so every other
 * web API is a type error in the core.
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
  constructor(encoding?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}
