/** What a passage is about. Nouns and verbs are in their base form. */
export interface Topic {
  /** The kind that all its people are of. */
  group: string
  people: readonly string[]
  /** The kind that all its things are of. */
  kind: string
  things: readonly string[]
  places: readonly string[]
  /** What is done to its things: concepts of `VERBS`. */
  verbs: readonly string[]
}

const list = (words: string) => words.split(' ')

/** In the order of the fields of a topic. */
const TABLE = `
musician | pianist drummer singer violinist | instrument | piano flute guitar trumpet | theatre studio stage cellar | clean wash polish carry push
athlete | runner swimmer boxer skater | prize | medal trophy ribbon badge | stadium gym arena track | get collect display examine polish
artist | painter sculptor potter poet | artwork | portrait statue vase mural | gallery museum castle attic | display examine purchase get destroy
merchant | baker butcher grocer florist | fruit | apple pear plum melon | market bakery shop kitchen | collect wash purchase carry get
builder | mason plumber roofer carpenter | tool | hammer drill ladder wrench | garage workshop bridge tower | repair borrow move clean smash
driver | trucker courier racer chauffeur | vehicle | truck taxi van tram | station depot tunnel crossing | repair push move wash destroy
farmer | shepherd planter rancher milker | animal | goat horse donkey rabbit | barn meadow stable orchard | wash purchase get move examine
doctor | surgeon dentist optician healer | remedy | pill bandage syrup ointment | hospital clinic pharmacy surgery | deliver carry examine collect get
official | judge mayor banker senator | document | letter report contract ticket | office court archive bank | burn destroy deliver move examine
sailor | captain diver rower fisher | boat | canoe ferry raft yacht | harbour beach island lighthouse | borrow repair polish clean get
`

export const TOPICS: readonly Topic[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [group = '', people = '', kind = '', things = '', places = '', verbs = ''] = line.split(' | ')
    return { group, people: list(people), kind, things: list(things), places: list(places), verbs: list(verbs) }
  })

/** The kinds above all others. */
export const PERSON = 'person'
export const THING = 'thing'

export const NAMES = list(
  'anna boris clara david emma felix greta henry irene jakob karin louis maria nadia oscar paula ralph sonia tomas vera',
)

/** The names for which one says `he`. */
export const MEN = list('boris david felix henry jakob louis oscar ralph tomas')

/** Verbs by concept. Words of one concept mean the same; what is done is also done in the sense of `kind`. */
export interface Verb {
  words: readonly string[]
  kind?: string | undefined
}

const verb = (words: string, kind?: string): Verb => ({ words: list(words), kind })

export const VERBS: Record<string, Verb> = {
  // done to things
  move: verb('move shift'),
  carry: verb('carry transport', 'move'),
  deliver: verb('deliver', 'carry'),
  push: verb('push', 'move'),
  repair: verb('repair mend'),
  clean: verb('clean'),
  wash: verb('wash rinse', 'clean'),
  polish: verb('polish', 'clean'),
  get: verb('obtain acquire'),
  purchase: verb('purchase', 'get'),
  borrow: verb('borrow', 'get'),
  collect: verb('collect gather', 'get'),
  examine: verb('examine inspect'),
  display: verb('display exhibit'),
  destroy: verb('destroy ruin'),
  burn: verb('burn', 'destroy'),
  smash: verb('smash', 'destroy'),
  // done to people
  help: verb('help assist'),
  contact: verb('contact'),
  call: verb('call phone', 'contact'),
  follow: verb('follow'),
  chase: verb('chase', 'follow'),
  watch: verb('watch observe'),
  praise: verb('praise applaud'),
  blame: verb('blame accuse'),
  greet: verb('greet welcome'),
  // done alone
  talk: verb('talk converse'),
  whisper: verb('whisper', 'talk'),
  shout: verb('shout', 'talk'),
  laugh: verb('laugh'),
  giggle: verb('giggle', 'laugh'),
  walk: verb('walk'),
  march: verb('march', 'walk'),
  rest: verb('rest relax'),
  wait: verb('wait'),
  dance: verb('dance'),
}

/** Concepts of what people do to people, and of what they do alone. */
export const TO_PEOPLE = list('help contact call follow chase watch praise blame greet')
export const ALONE = list('talk whisper shout laugh giggle walk march rest wait dance')

/** Opinions by sentiment: 0 negative, 1 positive. The first adjectives are the common ones. */
export const OPINIONS = [
  {
    adjectives: list(
      'bad awful dull terrible poor ugly boring horrible weak nasty dreadful clumsy unpleasant disappointing shabby lousy miserable dreary hideous mediocre tedious appalling dismal grim',
    ),
    verbs: list('hate dislike despise loathe'),
    reactions: list('complain frown sigh'),
  },
  {
    adjectives: list(
      'good great lovely fine wonderful excellent pleasant perfect beautiful charming brilliant superb delightful fantastic impressive elegant splendid amazing marvellous graceful glorious remarkable stunning exquisite',
    ),
    verbs: list('love like enjoy adore'),
    reactions: list('smile cheer rejoice'),
  },
] as const

export const DAYS = list('monday tuesday wednesday thursday friday saturday sunday')
/** At least so many, for counts of two and more. */
export const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six'] as const
