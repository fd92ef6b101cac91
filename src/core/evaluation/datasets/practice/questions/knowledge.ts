/** @file Twenty-five questions about general knowledge: geography, history, literature, music and games. */
import { choice, exactly, named, namedAll, quantity, questionsOf } from '../question';

export const KNOWLEDGE = questionsOf('knowledge', 'knowledge', [
  named('Which strait separates Spain from Morocco?', 'gibraltar'),
  named('On which continent does the Atacama Desert lie?', 'south america'),
  choice('Which of these rivers flows into the Black Sea?', ['Rhine', 'Danube', 'Elbe', 'Po'], 'B'),
  named('Constantinople was renamed in the twentieth century. What has the city been called since then?', 'istanbul'),
  named('In which year did Christopher Columbus first reach the Americas?', '1492'),
  named('In which year was the Bastille in Paris stormed?', '1789'),
  choice(
    'Which of these events came first?',
    [
      'the first crewed landing on the Moon',
      'the printing of the Gutenberg Bible',
      'the end of the Western Roman Empire',
      'the Battle of Waterloo',
    ],
    'C',
  ),
  named('Who wrote the plays Hamlet and King Lear?', 'shakespeare'),
  named('Which composer wrote the opera The Magic Flute?', 'mozart'),
  named('Which Spanish author wrote the novel Don Quixote?', 'cervantes'),
  named('Who painted Guernica, the large picture about the bombing of a Basque town?', 'picasso'),
  quantity('How many black keys does a standard piano with 88 keys have?', '36'),
  quantity(
    'How many players of one football (soccer) team are normally on the pitch at kick-off, goalkeeper included?',
    '11',
  ),
  namedAll('Which two colours does the national flag of Poland have?', 'white', 'red'),
  choice(
    'Which of these languages does not belong to the Indo-European family?',
    ['Hungarian', 'Polish', 'Persian', 'Welsh'],
    'A',
  ),
  named('On which ship did Charles Darwin sail around the world?', 'beagle'),
  named('Which mountain range forms most of the border between France and Spain?', 'pyrenees'),
  named('What is the largest ocean on Earth?', 'pacific'),
  named(
    'Which long war in the Holy Roman Empire ended with the Peace of Westphalia in 1648?',
    "thirty years['’]?",
    "30 years['’]?",
  ),
  named('Which Greek philosopher taught the young Alexander the Great?', 'aristotle'),
  quantity('How many squares does a chessboard have, light and dark ones together?', '64'),
  choice('Which of these countries has no coast on the sea?', ['Peru', 'Ecuador', 'Paraguay', 'Uruguay'], 'C'),
  named('Which epic of Homer tells of a hero on his long way home from Troy?', 'odyssey'),
  choice('Which of these is a woodwind instrument?', ['trumpet', 'trombone', 'tuba', 'oboe'], 'D'),
  exactly('Which letter stands for 500 in Roman numerals?', 'D'),
]);
