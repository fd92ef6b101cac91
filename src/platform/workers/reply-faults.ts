/** @file Creates the faults of failed calls that an HTTP status alone doesn't explain. */
import { fault, type Fault } from '../../core/contract';
import { redact } from './provider-words';
import { hostOf, secretsOf, type Target } from './target';

/** Silence before the answer is not retried automatically: each try lasts minutes, and the provider may charge for thinking. */
export function tooSilent(target: Target, hasText: boolean, ms: number): Fault {
  const host = hostOf(target.baseUrl);
  const seconds = Math.round(ms / 1000);
  if (hasText)
    return fault('stalled', `${host} stopped sending for ${seconds} seconds in the middle of its answer. Try again.`, {
      retryable: true,
    });
  const message = `${host} didn’t start to answer within ${seconds} seconds. It may be busy, loading the model or thinking. Try again, or allow ${target.name} more time under Workers (“Wait for the first word”).`;
  return fault('timeout', message);
}

/** Not retried automatically, for the same reasons. */
export function noText(target: Target, ms: number): Fault {
  const message = `${hostOf(target.baseUrl)} kept the connection open, but sent no text for ${Math.round(ms / 60_000)} minutes. Try again.`;
  return fault('stalled', message);
}

export function cutOff(target: Target): Fault {
  const message = `The connection to ${hostOf(target.baseUrl)} ended before the answer of ${target.name} was complete. Try again.`;
  return fault('cut-off', message, { retryable: true });
}

export function stoppedEarly(target: Target): Fault {
  const message = `${hostOf(target.baseUrl)} stopped before the answer of ${target.name} was complete. Try again.`;
  return fault('server-error', message, { retryable: true });
}

export function broken(target: Target, text = ''): Fault {
  const message = `${hostOf(target.baseUrl)} sent a reply that isn’t in the OpenAI format. Check the address. It usually ends in /v1.`;
  return fault('broken-reply', message, text === '' ? {} : { detail: redact(text, secretsOf(target)) });
}

export function endless(target: Target): Fault {
  const message = `${hostOf(target.baseUrl)} sent far more data than an answer of ${target.name} needs, so reading was stopped. Check the server.`;
  return fault('broken-reply', message);
}

export function webPage(target: Target): Fault {
  const message = `${hostOf(target.baseUrl)} sent a web page instead of a model's answer. Check the address. It usually ends in /v1.`;
  return fault('bad-address', message);
}
