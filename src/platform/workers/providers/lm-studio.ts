/**
 * @file The preset for LM Studio on the user's machine. Its server answers web pages only if it was started with `--cors`. The
 * user configures thinking in LM Studio.
 */
import { ownServer } from './preset';

export const lmStudio = ownServer({
  id: 'lm-studio',
  label: 'LM Studio',
  baseUrl: 'http://localhost:1234/v1',
  reasoning: { request: null, minimal: false, budget: null, places: ['reasoning_content', 'think-tags'] },
  allowPage: () => 'Start the server of LM Studio with the command “lms server start --cors”.',
});
