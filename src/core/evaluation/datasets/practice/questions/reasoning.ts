/** @file Twenty-five questions about reading code, logic and language. */
import { choice, exactly, named, quantity, questionsOf } from '../question';

export const CODE = questionsOf('code', 'code', [
  quantity('What does this Python program print?\n\nprint(sum(n for n in range(10) if n % 3 == 0))', '18'),
  quantity('What does this Python program print?\n\nprint([n * n + 1 for n in range(4)][-1])', '10'),
  exactly('What does this Python program print?\n\nword = "planet"\nprint(word[1:4])', 'lan'),
  quantity('What does this Python program print?\n\nprint(len({3, 1, 3, 2, 1, 7}))', '4'),
  quantity(
    'What does this Python program print?\n\ncolours = ["red", "blue"]\nothers = colours\nothers.append("green")\nprint(len(colours))',
    '3',
  ),
  quantity('What does this Python program print?\n\nprint(17 // 5 * 2 + 17 % 5)', '8'),
  quantity(
    'What does this Python program print?\n\ndef f(n):\n    return 1 if n < 2 else n * f(n - 2)\n\nprint(f(7))',
    '105',
  ),
  quantity(
    'What does this Python program print?\n\nn = 6\nsteps = 0\nwhile n != 1:\n    n = n // 2 if n % 2 == 0 else 3 * n + 1\n    steps += 1\nprint(steps)',
    '8',
  ),
  choice(
    'How does the worst-case running time of binary search grow with the length n of a sorted array?',
    ['as n log n', 'as n', 'as log n', 'not at all'],
    'C',
  ),
]);

export const LOGIC = questionsOf('logic', 'maths', [
  named(
    'Anna is taller than Bert. Bert is taller than Carla. Dora is shorter than Carla. Who is the shortest of the four?',
    'dora',
  ),
  choice(
    'All blips are blops. No blop is a blap. Can a blip be a blap?',
    ['Yes, every blip is one.', 'Yes, some may be.', 'No.', 'That depends on the number of blips.'],
    'C',
  ),
  named('Today is a Wednesday. Which day of the week is it in 100 days?', 'friday'),
  quantity('How large is the smaller angle between the hands of a clock at half past three, in degrees?', '75'),
  named(
    'Five runners finish a race without ties. Finn is ahead of Gita, Gita is ahead of Hugo, Iris is ahead of Finn, and Jon is behind Hugo. Who comes third?',
    'gita',
  ),
  quantity(
    'A snail at the foot of a wall of 11 m climbs 4 m each day and slips back 2 m each night. On which day does it first reach the top? Count the first day as 1.',
    '5',
  ),
  quantity(
    'A drawer has ten black, ten white and ten grey socks. You take socks without looking. How many must you take to be sure that two of them have the same colour?',
    '4',
  ),
  quantity(
    'One of three boxes has a coin in it. Box 1 says “The coin is here”, box 2 says “The coin is not here”, and box 3 says “The coin is not in box 1”. Exactly one of these statements is true. What is the number of the box with the coin?',
    '2',
  ),
]);

export const LANGUAGE = questionsOf('language', 'writing', [
  named('What is the simple past of the English verb “to swim”, as in “Yesterday I …”?', 'swam'),
  named('What is the plural of the English noun “ox”?', 'oxen'),
  choice(
    'Which sentence is in the passive voice?',
    [
      'The dog chased the cat.',
      'The cat was chased by the dog.',
      'The dog has been chasing the cat.',
      'The cat will chase the dog.',
    ],
    'B',
  ),
  named('Which word is the adverb in “She sang the old song beautifully”?', 'beautifully'),
  named('Rearrange the letters of “listen” into an adjective that means “without any sound”.', 'silent'),
  quantity('How many times does the letter e occur in the word “independence”?', '4'),
  exactly('Write the word “stressed” backwards.', 'desserts'),
  choice('Which word is closest in meaning to “reluctant”?', ['eager', 'careless', 'grateful', 'unwilling'], 'D'),
]);
