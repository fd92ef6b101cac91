/** @file The wording of programming tasks. `{{}}` stands for the task. */

export const COMPLETE_CODE =
  'Complete the following Python code. Put the whole code, with the given beginning, into one block of code.\n\n```python\n{{}}\n```';

/** `{{tests}}` stands for the tests. */
export const PASS_TESTS =
  '{{}}\n\nWrite Python code that passes the following tests. Put the whole code into one block of code.\n\n```python\n{{tests}}\n```';

export const PROGRAM =
  '{{}}\n\nWrite a Python program that reads the input from standard input and prints the answer to standard output. Don’t test it on the sample inputs. Put the whole program into one block of code.';

/** `{{starter}}` stands for the starter code. */
export const STARTER =
  '{{}}\n\nWrite Python code that begins with the following starter code. Put the whole code into one block of code.\n\n```python\n{{starter}}\n```';
