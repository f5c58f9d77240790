// The words that hold a sentence together: what may stand before a noun, what begins a phrase, what asks.

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

export const determiners = words(
  'a an the this that these those my our your his her its their some any all every each no another more both several many few other most such own entire whole single one two three four five six seven eight nine ten dozen first second third last next',
);

/** What follows has not been there yet: `open a new issue`. */
export const makers = words('new another fresh additional extra more further');

export const indefinite = words('a an new another');

export const prepositions = words(
  'of in on at from to into onto for with without by under over across through via per against within during before after since until than near behind inside outside off out up down as between among along around',
);

/** What follows says which ones, in the data's own words: `issues about memory leaks`. */
export const topicMarkers = words(
  'about regarding concerning mentioning containing called named titled entitled saying matching like where that who whose whom because if when so using whether older newer bigger larger smaller longer ending starting beginning including excluding use uses using mention mentions contain contains match matches reference references depend depends involve involves labelled labeled tagged marked asking requesting describing explaining stating',
);

export const questionWords = words('what which who whom whose where when why how');

export const auxiliaries = words(
  "is are was were be been being am isn't aren't does do did don't has have had can could will would shall should may might must 's 're gets got",
);

export const pronouns = words(
  'i me we us you he she it they them him myself ourselves themselves itself everybody everyone somebody someone anybody anyone everything something anything nobody nothing who there here',
);

/** What refers back: its clause is about what the one before was about. */
export const backReferences = words('it them that those this these one ones him her its their');

/** Said to be polite or to hurry; it changes nothing. */
export const fillers = words(
  'please kindly just now again also too still yet right today tomorrow yesterday tonight currently recently really only ok okay hey hi hello thanks thank ever already instead maybe perhaps actually simply somehow together anyway quickly asap soon later once back week weeks month months year years day days hour hours minute minutes morning afternoon evening noon monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december thing things stuff way kind sort let lets lot bit everywhere anywhere somewhere not good whose ago',
);

/** Beginnings that ask for something politely: what follows is the request. */
export const politeStarts: readonly (readonly string[])[] = [
  'please',
  'kindly',
  'hey',
  'hi',
  'hello',
  'ok',
  'okay',
  'so',
  'now',
  'then',
  'and',
  'but',
  'also',
  'just',
  'can you',
  'could you',
  'would you',
  'will you',
  'can i',
  'can we',
  'could i',
  'may i',
  'do you mind',
  'would you mind',
  'i want you to',
  'i would like you to',
  'i would like to',
  "i'd like to",
  'we would like to',
  "we'd like to",
  'i want to',
  'we want to',
  'i need to',
  'we need to',
  'i have to',
  'we have to',
  'you should',
  'we should',
  'i should',
  'i must',
  'we must',
  'i wish to',
  'i am trying to',
  "i'm trying to",
  'help me to',
  'help me',
  'help us',
  'let us',
  "let's",
  'lets',
  'let me',
  'try to',
  'go ahead and',
  'go and',
  'how do i',
  'how can i',
  'how do we',
  'how can we',
  'how to',
  'is it possible to',
  'are you able to',
  'make sure to',
  'be so kind and',
  'be so kind as to',
  'it is time to',
  'time to',
  'next',
  'finally',
  'first',
  'to',
  'quickly',
  'my task is to',
  'the goal is to',
  'you need to',
]
  .map((text) => text.split(' '))
  .sort((left, right) => right.length - left.length);

/** Asks for a thing without a verb of its own: `I need the list of users`. */
export const wishes: readonly (readonly string[])[] = [
  'i need',
  'we need',
  'i want',
  'we want',
  'i would like',
  "i'd like",
  'we would like',
  "we'd like",
  'i am looking for',
  "i'm looking for",
  'i wonder',
  'i would love',
]
  .map((text) => text.split(' '))
  .sort((left, right) => right.length - left.length);

/** How something is done, also where no `-ly` tells so. */
export function isManner(word: string): boolean {
  return /^(forever|quick|fast|now|once)$/.test(word) || (/^\p{Ll}{2,}ly$/u.test(word) && !/ply$/.test(word));
}

/** What turns the verb after it round: it is exactly what shall not be done. */
export const negations = words("don't dont not never without no avoid");
