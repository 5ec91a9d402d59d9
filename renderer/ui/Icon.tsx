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
  copy: 'M5.5 5.5h7.5v7.5H5.5zM3 10.5v-7.5h7.5',
  export: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13h10',
  import: 'M8 10.2V2.7M4.8 5.9 8 2.7l3.2 3.2M3 13h10',
  notebook: 'M4 2.5h8.5v11H4zM6.8 2.5v11M2.8 5.5h2.4M2.8 8h2.4M2.8 10.5h2.4',
  runs: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  system: 'M2.5 3.5h11v7.5h-11zM6 13.5h4',
  light:
    'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1',
  dark: 'M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z',
  edit: 'M3 13l.6-2.8 7-7 2.2 2.2-7 7z',
  close: 'M4 4l8 8M12 4l-8 8',
  find: 'M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4zM10.2 10.2l3.3 3.3',
  history: 'M3.2 5.6A5.3 5.3 0 1 1 2.7 8M2.9 2.7v3h3M8 5v3.2l2.2 1.4',
  commands: 'M3 4.5l3.2 3.5L3 11.5M8 11.5h5',
  keys: 'M2 4.5h12v7.5H2zM4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5 9.7h6',
  model: 'M5.5 2.5h5v3h-5zM2.5 10.5h4.5v3H2.5zM9 10.5h4.5v3H9zM8 5.5v2.5M4.8 10.5V8h6.4v2.5',
  drag: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  data: 'M2.8 4.2a5.2 1.9 0 1 0 10.4 0a5.2 1.9 0 1 0-10.4 0zM2.8 4.2v7.6a5.2 1.9 0 0 0 10.4 0v-7.6M2.8 8a5.2 1.9 0 0 0 10.4 0',
  fold: 'M4 6l4 4 4-4',
  unfold: 'M6 4l4 4-4 4',
  whole: 'M9.5 3h3.5v3.5M13 3 9.2 6.8M6.5 13H3V9.5M3 13l3.8-3.8',
  settings: 'M3 5h6M12.5 5h.5M3 11h.5M7 11h6M10.7 3.3v3.4M5.3 9.3v3.4',
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
