/** @file Faults of the browser's built-in model, with messages that tell the user what to do. */
import { fault, FaultError, type Fault } from '../../../core/contract';
import { engineFault, promptFault, type Named } from '../engine-faults';

export function unavailableFault({ label }: Named): Fault {
  return fault('bad-request', `${label} can’t run on this device. Choose another model.`);
}

/** Turns an error of the Prompt API into a fault. */
export function browserFault(thrown: unknown, named: Named): Fault {
  if (thrown instanceof FaultError) return thrown.fault;
  const { label } = named;
  const name = thrown instanceof Error ? thrown.name : '';
  const detail = thrown instanceof Error ? `${thrown.name}: ${thrown.message}`.slice(0, 500) : String(thrown);
  switch (name) {
    case 'QuotaExceededError':
      return quotaFault(thrown, named);
    case 'NotAllowedError': {
      const message = `The browser didn’t allow this page to use its model. Press the button again. If that doesn’t help, a policy of the browser or of the page’s server forbids it.`;
      return fault('forbidden', message, { detail });
    }
    case 'NotSupportedError':
      return fault('bad-request', `${label} doesn’t support this language or this kind of prompt. Use English.`, {
        detail,
      });
    case 'NetworkError': {
      const message = `The browser couldn’t download its model. Check the connection and the free disk space, then try again.`;
      return fault('unreachable', message, { retryable: true, detail });
    }
    case 'NotReadableError': {
      const message = `The browser blocked the answer of its model. Change the question, or choose another model.`;
      return fault('content-filtered', message, { detail });
    }
    default:
      return engineFault(thrown, named);
  }
}

/**
 * The fault of a prompt that is too long. Only some browsers add the size of the prompt (`requested`) and the limit (`quota`) to
 * the error.
 */
function quotaFault(thrown: unknown, named: Named): Fault {
  const read = (name: string): unknown =>
    typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : null;
  const [requested, quota] = [read('requested'), read('quota')];
  if (typeof requested === 'number' && typeof quota === 'number') return promptFault(named, requested, quota);
  return fault('too-large', `The prompt is too long for ${named.label}. Shorten it, or choose another model.`);
}
