/** Outlines on a 16 x 16 grid. */
const PATHS = {
  run: 'M5 3.2v9.6L12.6 8z',
  runAll: 'M3 3.5v9L8.5 8zM8.8 3.5v9L14.3 8z',
  stop: 'M4.5 4.5h7v7h-7z',
  restart: 'M12.8 8a4.8 4.8 0 1 1-1.4-3.4M12.8 2.4v2.8H10',
  up: 'M8 12.5v-9M4.2 7.3 8 3.5l3.8 3.8',
  down: 'M8 3.5v9M4.2 8.7 8 12.5l3.8-3.8',
  add: 'M8 3.5v9M3.5 8h9',
  remove: 'M3.5 4.5h9M6.5 4.5v-1.5h3v1.5M4.8 4.5l.6 8.5h5.2l.6-8.5',
  export: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13h10',
  notebook: 'M4 2.5h8.5v11H4zM6.8 2.5v11M2.8 5.5h2.4M2.8 8h2.4M2.8 10.5h2.4',
  runs: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  system: 'M2.5 3.5h11v7.5h-11zM6 13.5h4',
  light:
    'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1',
  dark: 'M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z',
  edit: 'M3 13l.6-2.8 7-7 2.2 2.2-7 7z',
} as const

export type IconName = keyof typeof PATHS

const SOLID: readonly IconName[] = ['run', 'runAll', 'stop']

/** A picture beside or in place of a label; it says nothing by itself. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={SOLID.includes(name) ? 'icon solid' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
