/** @file Twenty-five questions about physics, chemistry, biology and the Earth. */
import { choice, named, quantity, questionsOf } from '../question';

export const SCIENCE = questionsOf('science', 'science', [
  named('Which chemical element has the symbol Fe?', 'iron'),
  quantity('How many protons does the nucleus of a carbon atom have?', '6'),
  choice('Which of these particles has no electric charge?', ['proton', 'electron', 'neutron', 'positron'], 'C'),
  quantity('A car accelerates evenly from rest to 20 m/s in 8 s. What is its acceleration in m/s²?', '2.5'),
  quantity('A force of 30 N acts on a mass of 6 kg, without friction. What is the acceleration in m/s²?', '5'),
  quantity('What is the kinetic energy, in joules, of a body of 4 kg that moves at 3 m/s?', '18'),
  quantity('What current, in amperes, flows through a resistor of 12 ohm at a voltage of 36 V?', '3'),
  named('Which planet is closest to the Sun?', 'mercury'),
  named('Which blood cells carry the oxygen in the human body?', 'red blood cells?', 'red cells?', 'erythrocytes?'),
  choice('Which of these animals is a mammal?', ['penguin', 'dolphin', 'shark', 'crocodile'], 'B'),
  named(
    'Which molecule carries the hereditary information in the nucleus of a human cell?',
    'dna',
    'deoxyribonucleic acid',
  ),
  quantity('How many chromosomes does a human body cell normally have?', '46'),
  named('Which gas makes up about 78 percent of dry air?', 'nitrogen'),
  quantity(
    'Hydrogen burns with oxygen to water: a H₂ + b O₂ → c H₂O. With the smallest whole numbers that balance this, what is a + b + c?',
    '5',
  ),
  quantity('What is the molar mass of water in g/mol, if hydrogen counts 1 and oxygen 16?', '18'),
  choice('Which of these is a noble gas?', ['nitrogen', 'chlorine', 'hydrogen', 'argon'], 'D'),
  named('What is the direct change from a solid to a gas called?', 'sublimation'),
  quantity(
    'Sound travels at 340 m/s. The echo from a cliff comes back after 2 s. How far away is the cliff, in metres?',
    '340',
  ),
  named('Which organ of the human body makes insulin?', 'pancreas'),
  choice('A watery solution has a pH of 3. What is it?', ['acidic', 'neutral', 'basic', 'radioactive'], 'A'),
  quantity('How many degrees Fahrenheit are 100 degrees Celsius?', '212'),
  quantity(
    'A child of 30 kg sits 2 m from the middle of a seesaw. How far from the middle, in metres, must a child of 40 kg sit on the other side to balance it?',
    '1.5',
  ),
  named('In which layer of the atmosphere does most weather happen?', 'troposphere'),
  choice(
    'A ray of light enters glass from air at an angle. Which way does it bend?',
    ['away from the normal', 'towards the normal', 'not at all', 'parallel to the surface'],
    'B',
  ),
  quantity(
    'How much heat, in joules, warms 2 kg of water by 5 K? The specific heat capacity is 4200 J/(kg·K).',
    '42000',
  ),
]);
