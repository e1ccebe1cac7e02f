"""Systems that were chosen, and measured once, when the patterns had been changed for others."""
import glob, html, json, os, re

from page_systems import (LANGUAGES, NAMES, SITE, dialog, error, javascript, login, messages, pairs,
                          path_of, plain, system, text_of)

# ---- later: added when the patterns were complete


def of_places(names):
    """The names of the languages in a package that calls them by languages and countries."""
    return dict(zip(LANGUAGES, names.split()))


@system("npm:@dargmuesli/nuxt-cookie-control", part="later")
def nuxt_cookie_control(root, language):
    t = javascript(root, "dist/runtime/locale/{}.js", language)
    if t:
        yield "consent", SITE, dialog(t["bannerTitle"], t["bannerDescription"],
                                      [t["acceptAll"], t["declineAll"], t["manageCookies"]])


@system("npm:cookie-notice", part="later")
def cookie_notice(root, language):
    text = text_of(os.path.join(root, "dist/cookie.notice.js"))
    found = re.findall(r"^ +(\w\w): '((?:[^'\\]|\\.)*)'", text, re.M)
    t = [v.replace("\\'", "'") for k, v in found if k == language]
    if len(t) > 1:
        yield "consent", SITE, f"<div>{t[0]}<a href=/>{t[1]}</a><a href=#>OK</a></div>"


@system("npm:cookie-consent-js", part="later")
def cookie_consent_js(root, language):
    path = path_of(root, "cookie-consent-content/{}.json", language)
    if path:
        t = json.loads(text_of(path))
        yield "consent", SITE, dialog(
            t["title"], t["body"].replace("--privacy-policy--", t["privacyPolicy"]),
            [t["buttonAcceptTechnical"], t["buttonAcceptAll"]])


@system("npm:@justeattakeaway/pie-cookie-banner", part="later")
def pie_cookie_banner(root, language):
    found = [p for p in glob.glob(f"{root}/dist/{language}-*.js")
             if re.fullmatch(r"\w\w-[\w-]{8}\.js", os.path.basename(p))]
    t = re.findall(r'(\w+): "((?:[^"\\]|\\.)*)"', text_of(found[0])) if found else []
    if t:
        t = dict(reversed(t))  # the first of each name counts
        yield "consent", SITE, dialog(t["title"], plain(t["description"]), [
            t["managePreferences"], t["necessaryOnly"], t["acceptAll"]])


@system("npm:@prosopo/locale", part="later")
def procaptcha(root, language):
    path = path_of(root, "dist/locales/{}/translation.json", language)
    if path:
        t = json.loads(text_of(path))["WIDGET"]
        yield "challenge", SITE, (f"<form><label><input type=checkbox> {t['I_AM_HUMAN']}</label>"
                                  " <a href=/>Prosopo</a></form>")


@system("npm:@trustcomponent/trustcaptcha-frontend", part="later")
def trustcaptcha(root, language):
    text = text_of(root + "/dist/collection/components/trustcaptcha-component/locale.js")
    found = re.search(rf"^    {language}: \[(.*?)^    \]", text, re.M | re.S)
    t = re.findall(r'^ +"(.*?)",?$', found[1], re.M) if found else None
    if t:
        yield "challenge", SITE, (f"<div role=group><button>{t[0]}</button> <a href=/>Trustcaptcha"
                                  f"</a> <a href=/>{t[3]}</a></div>")


@system("npm:@medusajs/dashboard", part="later")
def medusa(root, language):
    path = path_of(root, "src/i18n/translations/{}.json", language) or path_of(
        root, "src/i18n/translations/%s.json" % {"pt": "ptBR", "zh": "zhCN"}.get(language), "en")
    if os.path.isfile(path):
        t = json.loads(text_of(path))
        yield "login", "Medusa", login(
            t["login"]["title"], [t["fields"]["email"], t["fields"]["password"]],
            t["actions"]["continueWithEmail"], [plain(t["login"]["forgotPassword"])],
            [t["login"]["hint"]])
        texts = t["errorBoundary"]
        for name in ("notFound", "internalServerError"):
            yield "error", "Medusa", error(texts[name + "Title"], texts[name + "Message"],
                                           texts["backToDashboard"])


@system("npm:@vendure/admin-ui", part="later")
def vendure(root, language):
    path = path_of(root, "static/i18n-messages/{}.json", language)
    if path:
        t = json.loads(text_of(path))["common"]
        yield "login", "Vendure", f"<p>{t['login-image-title']}</p>" + login(
            plain(t["login-title"]), [t["username"], t["password"]], t["login"],
            [t["remember-me"]])


@system("cacti", part="later")
def cacti(root, language):
    name = of_places("en de-DE fr-FR es-ES it-IT pt-BR nl-NL pl-PL ru-RU ja-JP zh-CN sv-SE - tr-TR")
    at = f"usr/share/cacti/site/locales/LC_MESSAGES/{name[language]}.mo"
    if language == "en" or os.path.isfile(os.path.join(root, at)):
        t = messages(root, at, language, source=True)
        say = lambda text: t(text) or text
        yield "login", say("Login to Cacti"), login(
            say("User Login"), [say("Username"), say("Password")], say("Login"),
            [say("Keep me signed in"), "Version 1.2.24 | (c) 2004-2023 - The Cacti Group"],
            [say("Enter your Username and Password below")], by_value=True)


@system("ldap-account-manager", part="later")
def lam(root, language):
    name = of_places("en de_DE fr_FR es_ES it_IT pt_BR nl_NL pl_PL ru_RU ja_JP zh_CN - cs_CZ tr_TR")
    at = f"usr/share/ldap-account-manager/locale/{name[language]}/LC_MESSAGES/messages.mo"
    if language == "en" or os.path.isfile(os.path.join(root, at)):
        t = messages(root, at, language, source=True)
        say = lambda text: t(text) or text
        yield "login", "LDAP Account Manager", (
            f"<a href=/>{say('LAM configuration')}</a> " + login(
                "", [say("User name"), say("Password")], say("Login"),
                [say("LDAP server") + " ldap://localhost:389",
                 say("Server profile") + " lam"]))


@system("zoneminder", part="later")
def zoneminder(root, language):
    name = of_places("en_gb de_de fr_fr es_es it_it pt_br nl_nl pl_pl ru_ru ja_jp zh_cn se_se cs_cz -")
    t = pairs(root, f"usr/share/zoneminder/www/lang/{name[language]}.php", language,
              r"^ *'(\w+)' *=> *'((?:[^'\\]|\\.)*)'") if name[language] != "-" else None
    if t:
        yield "login", "ZM - " + t["Login"], login(
            "ZoneMinder " + t["Login"], [t["Username"], t["Password"]], t["Login"])


@system("python3-django-horizon", part="later")
def horizon(root, language):
    name = of_places("en de fr es it pt_BR nl pl_PL ru ja zh_Hans sv cs tr_TR")
    at = (f"usr/lib/python3/dist-packages/openstack_dashboard/locale/{name[language]}"
          "/LC_MESSAGES/django.mo")
    if language != "en" and not os.path.isfile(os.path.join(root, at)):
        return
    t = messages(root, at, language, source=True)
    heading = "Sorry, the page you were looking for does not exist"
    if t(heading):
        yield "error", t("Page Not Found"), error(
            t(heading), t("You may have mistyped the address or the page may have moved."))
    if t("User Name") and t("Password"):
        say = lambda text: t(text) or text
        yield "login", say("Login") + " - OpenStack Dashboard", login(
            say("Log in"), [t("User Name"), t("Password")], say("Sign In"))


@system("cockpit-ws", part="later")
def cockpit(root, language):
    path = path_of(root, "usr/share/cockpit/static/po.{}.js", language)
    if not path and language != "en":
        return
    t = dict(re.findall(r'"([^"]+)":\[null,"([^"]*)"', text_of(path))) if path else {}
    say = lambda text: t.get(text) or text
    yield "login", "debian", login(
        "Debian GNU/Linux", [say("User name"), say("Password")], say("Log in"),
        [say("Other options"), say("Server") + ": debian",
         say("Log in with your server user account.")])
