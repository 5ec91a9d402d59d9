import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { closeDialog } from './dialog.ts'
import { IconButton } from './IconButton.tsx'

/** A window over the page; Escape or a click beside it closes it, and the focus goes back to where it was. */
export function Dialog({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-label={label}
      onCancel={closeDialog}
      onMouseDown={(event) => event.target === event.currentTarget && closeDialog()}
    >
      {children}
    </dialog>
  )
}

interface DialogHeadProps {
  title: ReactNode
  /** What is said beside the title. */
  about?: ReactNode
  /** Buttons. */
  children?: ReactNode
}

/** The first line of a window, with the button that closes it. */
export function DialogHead({ title, about, children }: DialogHeadProps) {
  return (
    <header>
      <h2>{title}</h2>
      {about && <span className="muted">{about}</span>}
      <span className="spacer" />
      {children}
      <IconButton icon="close" label="Close" onClick={closeDialog} />
    </header>
  )
}
