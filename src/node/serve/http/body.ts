/** @file Reads the JSON body of a request, within a limit, and checks it with a schema. */
import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { parseJson, unlessAborted } from '../../../core/contract';
import { ApiError } from './api-error';

// Without a language, each message is only “Invalid input”.
z.config(en());

/** Seconds after which a client may try again when too many bodies are being read. */
const FULL_PAUSE = 2;

/** The memory that all bodies may use together while they are read, in bytes. */
export class ByteBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Reserves memory. Throws an `ApiError` (503) if too little memory is left. */
  reserve(bytes: number): void {
    if (bytes > this.#left) {
      const message = 'The server is reading as many requests as its memory allows. Try again later.';
      throw new ApiError(503, message, { code: 'server_full', retryAfter: FULL_PAUSE });
    }
    this.#left -= bytes;
  }

  release(bytes: number): void {
    this.#left += bytes;
  }
}

/** What a server allows all its requests. */
export interface BodyLimits {
  /** Maximum size of a body, in bytes. */
  readonly most: number;
  readonly budget: ByteBudget;
  /** Aborts when the server shuts down. */
  readonly closing: AbortSignal;
}

/**
 * Reads the body and parses it as JSON. Throws an `ApiError` if the body is larger than `most` bytes (413) or is not valid JSON
 * (400). Also throws it if the content type is not JSON (415), if the budget has too little memory left (503), or if the server
 * shuts down before the body is complete (503).
 */
export async function readJsonBody(request: IncomingMessage, { most, budget, closing }: BodyLimits): Promise<unknown> {
  // Security: only JSON is accepted. With some other content types, browsers let any web page send a request to
  // this server without a CORS preflight.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiError(415, 'Send the body as JSON, with “Content-Type: application/json”.');
  }
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  const pieces: Buffer[] = [];
  let size = 0;
  const reader = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { done = false, value: piece } = await unlessAborted(reader.next(), closing).catch((thrown: unknown) => {
        throw closing.aborted ? shuttingDown() : thrown;
      });
      if (done) break;
      const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(String(piece));
      if (size + bytes.length > most) throw tooLarge(most);
      budget.reserve(bytes.length);
      size += bytes.length;
      pieces.push(bytes);
    }
    return parsedJson(Buffer.concat(pieces).toString('utf8'));
  } finally {
    // Stops reading. If a read is pending, this has to wait until the request ends.
    void reader.return?.().catch(() => undefined);
    budget.release(size);
  }
}

function parsedJson(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new ApiError(400, 'The body is not valid JSON.', { code: 'invalid_json' });
  return value;
}

/** The error for a request that the server does not answer, because it shuts down. */
export function shuttingDown(): ApiError {
  return new ApiError(503, 'The server is shutting down.', { code: 'shutting_down', retryAfter: 5 });
}

function tooLarge(most: number): ApiError {
  return new ApiError(413, `The body is larger than ${most} bytes.`, { code: 'body_too_large' });
}

/** Checks a body with a schema. Throws an `ApiError` (400) that names the first wrong field. */
export function parseBody<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.join('.') ?? '';
  const message = `${param === '' ? 'The body' : `“${param}”`}: ${issue?.message ?? 'invalid'}.`;
  throw new ApiError(400, message, param === '' ? {} : { param });
}
