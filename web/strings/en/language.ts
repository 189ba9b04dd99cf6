/** The language of these texts: its tag (BCP 47), which is the name of their folder. */
export const language: string = 'en';
