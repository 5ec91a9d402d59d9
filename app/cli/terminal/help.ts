import { type CliCommand, COMMON, type Option } from '../command.ts'

/** The overview of all commands. */
export function help(commands: readonly CliCommand[]): string[] {
  const width = Math.max(...commands.map(({ name, synopsis }) => name.length + 1 + synopsis.length))
  return [
    'mixlab: a notebook for research on MLP architectures',
    '',
    ...commands.map(({ name, synopsis, summary }) => `  ${`${name} ${synopsis}`.padEnd(width)}  ${summary}`),
    '',
    "'mixlab help <command>' shows its options.",
  ]
}

/** The options of one command. */
export function helpFor(command: CliCommand): string[] {
  const options = Object.entries({ ...command.options, ...COMMON }).map(([name, option]) => [
    flag(name, option),
    option.help,
  ])
  const width = Math.max(...options.map(([text]) => text?.length ?? 0))
  return [
    `mixlab ${command.name} ${command.synopsis}`.trimEnd(),
    command.summary,
    '',
    ...options.map(([text, meaning]) => `  ${text?.padEnd(width)}  ${meaning}`),
  ]
}

function flag(name: string, { value, short }: Option): string {
  return `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`
}
