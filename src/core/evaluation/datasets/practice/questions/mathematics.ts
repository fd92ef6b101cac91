/** @file Twenty-five questions about mathematics at school level. */
import { formula, questionsOf } from '../question';

export const MATHEMATICS = questionsOf('mathematics', 'maths', [
  formula('Solve 3x − 7 = 11 for x.', '6'),
  formula('What is 2/3 + 1/4 as a single fraction?', '\\frac{11}{12}'),
  formula('A function is f(x) = x⁴ − 2x². How steep is its graph at x = 1?', '0'),
  formula('What is the integral of 2x + 1 from x = 0 to x = 3?', '12'),
  formula('Add up all even numbers from 2 to 100, both included.', '2550'),
  formula('What is the greatest common divisor of 252 and 105?', '21'),
  formula('What is the least common multiple of 12, 15 and 20?', '60'),
  formula('What is the larger solution of x² − 7x + 10 = 0?', '5'),
  formula('What is the area of a circle with radius 3, in terms of π?', '9\\pi'),
  formula('The legs of a right triangle are 9 and 12 long. How long is the hypotenuse?', '15'),
  formula('Two fair dice are rolled. What is the probability that they add up to 9, as a fraction?', '\\frac{1}{9}'),
  formula('In how many orders can 5 different books stand on a shelf?', '120'),
  formula('In how many ways can 3 people be chosen from 8 for a committee without offices?', '56'),
  formula('What is the logarithm of 64 to base 2?', '6'),
  formula('What is the last digit of 7¹⁰⁰?', '1'),
  formula('What remainder does 2¹⁰ leave when it is divided by 7?', '2'),
  formula('The square root of 72 is a times the square root of 2. What is a?', '6'),
  formula('What is the determinant of the 2 × 2 matrix with the rows (3, 5) and (2, 4)?', '2'),
  formula('What do the interior angles of a convex heptagon add up to, in degrees?', '900'),
  formula('What is the slope of the line through the points (1, 2) and (4, 11)?', '3'),
  formula('Differentiate x³ − 4x² with respect to x.', '3x^2 - 8x'),
  formula('What is the largest whole number whose square is below 200?', '14'),
  formula(
    'What is the sum of the infinite series 1 + 1/3 + 1/9 + 1/27 + …, in which each term is a third of the one before?',
    '\\frac{3}{2}',
  ),
  formula('What is the median of 3, 9, 4, 15 and 8?', '8'),
  formula('For which x is 2ˣ · 2³ = 2¹⁰?', '7'),
]);
