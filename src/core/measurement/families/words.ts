/** @file Words for questions: names, places, things, and common words. */

const listOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** First names without a common short form, so that two of them are not taken for one person. */
export const NAMES = listOf(`
  Ada Boris Clara Dario Elena Felix Greta Hugo Irene Jonas Karin Leon Maria Nils Olga Pablo Quinn Rosa Stefan Tessa
  Ulrich Vera Walter Xenia Yusuf Zora Amir Bianca Cedric Dalia Emil Fatima Gustav Helga Ivan Julia Kofi Laila Marco Nadia`);

export const PLACES = listOf(`
  Avon Brest Cork Delft Essen Fano Ghent Hull Izmir Jena Kiel Lund Metz Nice Oslo Pisa Riga Split Turin Umea Varna Worms`);

/** Things that a person can hold, and that a shop can sell. */
export const THINGS = listOf(`
  anchor basket candle drum easel flute globe hammer inkpot jug kettle ladder mirror needle organ pillow quilt rope saddle
  teapot umbrella vase whistle yoyo compass button lantern marble ribbon spoon bottle carpet`);

/** Common words with four to eight different enough letters. */
export const WORDS = listOf(`
  about above acorn after again alarm amber angle apple arrow autumn bacon badge baker banana basin beach beacon berry
  birch blanket border bottle branch bread bridge brother bucket butter cabin camera candle canyon carbon castle cedar
  cellar chalk cherry circle clever cloud clover coast cobalt coffee copper coral corner cotton cradle crystal dancer
  desert dinner dolphin donkey dragon early earth echo eleven ember engine evening fabric falcon family farmer feather
  fiddle field finger flower forest fossil friend frost garden garlic ginger glacier glove golden grape gravel guitar
  hammer harbor harvest hazel heron hidden hollow honey horizon island ivory jacket jungle kernel kitchen ladder lantern
  lemon letter lily linen lizard magnet maple marble market meadow melon mirror monkey morning mountain museum napkin
  needle nickel noble north number ocean olive onion orange orbit orchard otter oyster paddle palace paper parrot pebble
  pencil pepper pigeon pillow pirate planet plaster pocket polar pond potato prairie puzzle quarry quiet rabbit raven
  ribbon river rocket saddle saffron sailor salmon sandal season shadow silver simple sister smooth spider spring spruce
  stable station stone storm summer sunset table temple thistle thunder tiger timber tomato travel tulip tunnel turtle
  valley velvet violin walnut water weather whisper willow window winter wonder yellow zebra zenith`);
