import type { ComponentProps } from 'react'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  /** Classes beside that of all buttons, e.g. `small quiet`. */
  look?: string
  testId?: string
}

/** A button with words on it. */
export function Button({ look, testId, ...properties }: ButtonProps) {
  return <button type="button" className={look ? `button ${look}` : 'button'} data-testid={testId} {...properties} />
}
