#include "judge/twin_keys.h"

#include "url/url_twin.h"

bool twx_twin_key(const twx_facts *facts, twx_slice url, twx_relation_id relation, bool whole,
                  twx_key *ret_key) {
    char room[TWX_FACTS_URL_MAX];
    if (!(facts->bits & TWX_FACT_USABLE) || !twx_twins_are_in_facts(facts)) return false;
    const twx_slice twin = relation != TWX_RELATION_SCHEME ? twx_url_www_twin_of(url, room)
                           : whole                         ? twx_url_forms_twin_of(url, room)
                                                           : twx_url_scheme_twin_of(url);
    if (!twin.p) return false;
    const twx_hash128 hash = twx_url_twin_hash(twin);
    *ret_key = (twx_key){hash.hi, hash.lo};
    return true;
}
