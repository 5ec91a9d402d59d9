import { parseArgs } from 'node:util'
import { MixlabError, messageOf, suggest } from '../../../engine/errors.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { type Arguments, type CliCommand, COMMON, EXIT, type Terminal } from '../command.ts'
import { commands } from '../index.ts'
import { help, helpFor } from './help.ts'
import { terminal } from './terminal.ts'

// V8 keeps 10 frames, too few to reach the line of a cell from deep inside tfjs.
Error.stackTraceLimit = 50

/** Runs `mixlab <argv>` and returns the exit code. */
export async function main(argv: string[], output: Terminal = terminal()): Promise<number> {
  const [first, ...others] = argv
  if (first === '--version' || first === '-v') {
    output.out(`mixlab ${manifest.version}`)
    return 0
  }
  const isHelp = first === 'help' || first === '--help' || first === '-h'
  const [name, ...rest] = isHelp ? [...others, '--help'] : argv
  if (!name || name === '--help') {
    const all = await Promise.all(Object.values(commands).map((load) => load()))
    for (const line of help(all)) output.out(line)
    return name ? 0 : EXIT.usage
  }
  const command = await commandOf(name)
  try {
    if (!command) throw new UsageError(`unknown command '${name}'${suggest(name, Object.keys(commands))}`)
    if (rest.includes('--help') || rest.includes('-h')) {
      for (const line of helpFor(command)) output.out(line)
      return 0
    }
    return await command.run(parse(command, rest), output)
  } catch (error) {
    output.err(`mixlab: ${messageOf(error)}`)
    if (error instanceof UsageError) {
      output.err(command ? `usage: mixlab ${command.name} ${command.synopsis}`.trimEnd() : "see 'mixlab help'")
      return EXIT.usage
    }
    if (!(error instanceof MixlabError) && process.env.MIXLAB_DEBUG && error instanceof Error)
      output.err(String(error.stack))
    return EXIT.error
  }
}

class UsageError extends Error {}

async function commandOf(name: string | undefined): Promise<CliCommand | null> {
  return name !== undefined && Object.hasOwn(commands, name) ? ((await commands[name]?.()) ?? null) : null
}

function parse(command: CliCommand, argv: string[]): Arguments {
  const options = { ...command.options, ...COMMON }
  const types = Object.entries(options).map(([name, { value, short }]) => {
    return [name, { type: value ? ('string' as const) : ('boolean' as const), ...(short && { short }) }]
  })
  const how = { options: Object.fromEntries(types), strict: false, allowPositionals: true, tokens: true } as const
  const { tokens } = parseArgs({ args: argv, ...how })
  const given: Arguments = { words: [], options: {}, rest: [] }
  let { words } = given
  for (const token of tokens) {
    if (token.kind === 'option-terminator' && command.rest && given.options[command.rest]) words = given.rest
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const option = options[token.name]
    if (!option) {
      const all = Object.keys(options).map((name) => `--${name}`)
      throw new UsageError(`unknown option '${token.rawName}'${suggest(token.rawName, all)}`)
    }
    if (option.value && !token.value) {
      throw new UsageError(`option '${token.rawName}' needs a value, ${token.rawName} ${option.value}`)
    }
    if (!option.value && token.value !== undefined) throw new UsageError(`option '${token.rawName}' takes no value`)
    given.options[token.name] = token.value ?? true
  }
  const [fewest, most] = command.words
  if (given.words.length < fewest) throw new UsageError(`'${command.name}' needs ${command.synopsis}`)
  if (given.words.length > most) throw new UsageError(`'${given.words[most]}' is one word too many`)
  return given
}
