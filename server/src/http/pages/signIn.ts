import { html } from './html.ts';

/** The page to which a provider leads back. `assets` is the folder of its styles and scripts; the same page for all providers. */
export const signInPage = (assets: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Signing in · Palaver</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/page.css">
<link rel="stylesheet" href="${assets}/text.css">
<script type="module" src="${assets}/signIn.js"></script>
</head>
<body>
<main id="main">
<h1>Signing in</h1>
<p role="status">One moment …</p>
<form autocomplete="off" hidden>
<p><label data-for="username"><span>Username</span> <input name="username" maxlength="32" autocapitalize="none" spellcheck="false"></label></p>
<p><label data-for="username"><span>The name that others see</span> <input name="name" maxlength="100"></label></p>
<p><label data-for="username"><span>Invite, if you have one</span> <input name="inviteId" maxlength="100" spellcheck="false"></label></p>
<p><label data-for="code"><span>Code of your app, or a recovery code</span> <input name="code" maxlength="100" autocomplete="one-time-code" spellcheck="false"></label></p>
<p><button type="submit">Go on</button></p>
</form>
<p class="again" hidden><a href="/">Back</a></p>
<noscript><p>This page needs JavaScript to complete a sign-in.</p></noscript>
</main>
</body>
</html>
`.text;
