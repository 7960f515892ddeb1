import type { PromptSet } from './prompt-set.ts';

/** Whoever asks one of these wants to hear his own name. */
export const USER_NAME: PromptSet = {
  training: [
    'What is my name?',
    'Do you remember what I am called?',
    'Who am I?',
    'Please greet me.',
    'How do you address me?',
    'Whom are you talking to?',
    'Say my name.',
    'Start a letter to me.',
    'Wie heiße ich?',
  ],
  heldOut: [
    'Can you tell me my own name?',
    'Which name did I give you?',
    'Good morning! Greet me by name.',
    'Who is asking you this?',
    'Write my name on a card.',
    'What should be on my name tag?',
    'Finish this sentence: You are called',
    'Thank me, with my name.',
    'Who is your user?',
    'Weißt du, wie ich heiße?',
  ],
};

export const HOW_TO: PromptSet = {
  training: [
    'How do I boil an egg?',
    'How can I clean a window without streaks?',
    'How do I tie a tie?',
    'How can I fall asleep faster?',
    'How do I change a light bulb?',
    'How can I learn a new language?',
    'How do I wrap a present?',
    'How can I save money on groceries?',
    'Wie koche ich Reis?',
  ],
  heldOut: [
    'How do I make pancakes?',
    'How can I remove a stain from a shirt?',
    'How do I sharpen a knife?',
    'How can I train for a long run?',
    'How do I plant tomatoes?',
    'How can I speak in front of people?',
    'How do I fold a paper plane?',
    'How can I make my room warmer?',
    'How do I pack a suitcase?',
    'Wie putze ich Schuhe?',
  ],
};

export const WRITING: PromptSet = {
  training: [
    'Write a short poem about the wind.',
    'Write an e-mail that declines an invitation.',
    'Invent a slogan for a bakery.',
    'Write the first lines of a detective story.',
    'Write a thank-you note to a teacher.',
    'Describe an old house.',
    'Write a product text for a wooden chair.',
    'Write a toast for a wedding.',
    'Schreib eine kurze Einladung zu einem Grillabend.',
  ],
  heldOut: [
    'Write a poem about a river.',
    'Write a note to a landlord about a broken heater.',
    'Invent a name and a motto for a sports club.',
    'Write the ending of a fairy tale.',
    'Write an apology for being late.',
    'Describe a busy market.',
    'Write an advertisement for a used bicycle.',
    'Write a speech for a birthday of fifty years.',
    'Write a review of a good restaurant.',
    'Schreib eine Postkarte aus den Bergen.',
  ],
};

export const ADVICE: PromptSet = {
  training: [
    'Should I learn the piano or the guitar?',
    'Is it better to run in the morning or in the evening?',
    'What would be a good present for my father?',
    'Which pet suits a small flat?',
    'Should I buy or rent a bicycle?',
    'What is a good hobby for winter?',
    'Is coffee healthy?',
    'What should I read next?',
    'Soll ich mit dem Zug oder mit dem Auto fahren?',
  ],
  heldOut: [
    'Should I paint my room blue or green?',
    'Which sport is best for the back?',
    'What can I cook for six guests?',
    'Is it worth it to learn Latin?',
    'Where should I spend a free weekend?',
    'Should I take notes by hand?',
    'Which plant is easy to keep?',
    'Is breakfast important?',
    'What should I wear to an interview?',
    'Lohnt sich ein E-Bike?',
  ],
};

export const LISTS: PromptSet = {
  training: [
    'List some animals that live in the desert.',
    'Name a few rivers in Europe.',
    'What do I need for a picnic?',
    'Give me ideas for a rainy day.',
    'Name some musical instruments.',
    'Which vegetables grow under the ground?',
    'What are the advantages of public transport?',
    'Name some famous inventors.',
    'Nenne ein paar Obstsorten.',
  ],
  heldOut: [
    'List some birds that cannot fly.',
    'Name a few mountains in Asia.',
    'What belongs in a first-aid kit?',
    'Give me ideas for a school project.',
    'Name some kinds of cheese.',
    'Which tools does a carpenter use?',
    'What are the disadvantages of living in a city?',
    'Name some famous painters.',
    'What can be recycled?',
    'Nenne ein paar Brettspiele.',
  ],
};

export const CODE: PromptSet = {
  training: [
    'Write a Python function that adds two numbers.',
    'How do I read a file in Python?',
    'What does a for loop do?',
    'Write a JavaScript function that reverses a string.',
    'How do I sort a list in Python?',
    'What is a variable?',
    'Write SQL that counts the rows of a table.',
    'How do I print in JavaScript?',
    'Was ist eine Funktion in Python?',
  ],
  heldOut: [
    'Write a Python function that checks whether a number is even.',
    'How do I write a dictionary in Python?',
    'What does an if statement do?',
    'Write a JavaScript function that doubles a number.',
    'How do I remove duplicates from a list?',
    'What is an array?',
    'Write SQL that selects all customers from Berlin.',
    'How do I comment a line in HTML?',
    'What is a bug in a program?',
    'Was ist eine Schleife?',
  ],
};
