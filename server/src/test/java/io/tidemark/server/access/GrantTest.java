// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GrantTest {

  @ParameterizedTest(name = "{0} of {1}: {2}")
  @CsvSource({
    "read:names/acme/, acme/crm:main, true",
    "read:names/acme/, acme:main, false",
    "read:names/acme/, acmecorp/crm:main, false",
    "read:names/acme, acme, true",
    "read:names/acme, acme:main, true",
    "read:names/acme, acme:dev, true",
    "read:names/acme, acmecorp, false",
    "read:names/acme, acmecorp:main, false",
    "read:names/acme, acme/crm:main, false",
    "read:names/acme, acme.corp:main, false",
    "read:names/acme:, acme:dev, true",
    "read:names/acme:, acmecorp:dev, false",
    "read:names/acme:dev, acme:dev, true",
    "read:names/acme:dev, acme:develop, false",
    "read:names/acme:dev, acme:main, false",
    "read:names, acme:main, true",
    "read:names/, acme:main, true",
    "read:*, acme:main, true",
    "write:names, acme:main, false",
    "lock:names, acme:main, false",
    "admin:names, acme:main, false",
    "read:events, acme:main, false",
    "'read,write:names', acme:main, true"
  })
  void coversWhatItsPrefixSays(String text, String name, boolean covered) {
    Caller caller = Caller.ofToken("somebody", Grant.parse(text));
    assertThat(caller.may(Action.READ, ResourceType.NAMES, name)).isEqualTo(covered);
  }

  @Test
  void isWrittenAsItIsRead() {
    assertThat(Grant.parse("read,lock:names/acme/"))
        .hasToString("[read:names/acme/, lock:names/acme/]");
    assertThat(Grant.parse("admin:server")).hasToString("[admin:server]");
    assertThat(Grant.parse("read:*"))
        .hasToString("[read:names, read:features, read:events, read:server]");
    for (String text : List.of("write:events/orders", "read:names/a:b", "admin:server")) {
      assertThat(Grant.parse(Grant.parse(text).get(0).toString())).isEqualTo(Grant.parse(text));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "read, it has to be action:realm",
    ":names, it has to be action:realm",
    "read:, it has to be action:realm",
    "own:names, 'there is no action \"own\", only read, write, lock, admin'",
    "READ:names, there is no action",
    "'read,:names', there is no action",
    "read:nams/a, 'there is no realm \"nams\", only names, features, events, server'",
    "admin:server/a, server has no names",
    "read:*/acme, * has no names",
    "read:names/ac*, without '*' and spaces",
    "'read:names/a b', without '*' and spaces"
  })
  void whatIsNoGrantIsExplained(String text, String why) {
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(() -> Grant.parse(text))
        .withMessageContaining("the grant \"" + text + "\"")
        .withMessageContaining(why.replaceAll("^'|'$", ""))
        .withMessageContaining("like read:names/acme/");
  }
}
